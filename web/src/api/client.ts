import createClient from 'openapi-fetch';
import { goToSignIn } from '../session/go-to-sign-in';
import { toProblem } from './problem';
import type { paths } from './schema';

/** The only way from the page to the server: every path, parameter and answer is typed by the API's own document. */
export const api = createClient<paths>({ baseUrl: '/' });

interface Asked<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The answer, or a `Problem` that says in words what went wrong. Whoever is not signed in any more goes there. */
export async function answer<Data>(asked: Promise<Asked<Data>>): Promise<Data> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    throw toProblem(undefined, undefined, cause);
  });
  if (response.status === 401) goToSignIn();
  if (!response.ok) throw toProblem(response, error);
  return data as Data;
}

/** Sent with what must not happen twice, however often it is sent. `randomUUID` is not there on plain HTTP. */
export const idempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
