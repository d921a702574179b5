import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

const MAX_ATTEMPTS = 3;

/** What was refused will be refused again; what could not be reached may be back. */
const mayHelp = (tries: number, error: Error) =>
  tries < MAX_ATTEMPTS && (!(error instanceof Problem) || error.status === undefined || error.status >= 500);

export const queries = new QueryClient({
  defaultOptions: { queries: { retry: mayHelp, staleTime: 5_000 }, mutations: { retry: false } },
});
