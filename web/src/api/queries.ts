import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

const MAX_ATTEMPTS = 3;

/** Retrying helps only if the server was unreachable or failed; a rejected request is rejected again. */
const shouldRetry = (tries: number, error: Error) =>
  tries < MAX_ATTEMPTS && (!(error instanceof Problem) || error.status === undefined || error.status >= 500);

export const queries = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, staleTime: 5_000 }, mutations: { retry: false } },
});
