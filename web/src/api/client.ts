import createClient from 'openapi-fetch';
import { toProblem } from './problem';
import type { paths } from './schema';

/** Every request of the page goes through this client, which is typed by the OpenAPI document. */
export const api = createClient<paths>({ baseUrl: '/' });

interface ApiResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Resolves with the response body or throws a `Problem`. An expired session redirects to the sign-in page. */
export async function answer<Data>(request: Promise<ApiResult<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    throw toProblem(undefined, undefined, cause);
  });
  if (response.status === 401) goToSignIn();
  if (!response.ok) throw toProblem(response, error);
  return data as Data;
}

/** `crypto.randomUUID` does not exist on plain HTTP, so the key is built from random bytes. */
export const idempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** After signing in, the user returns to `next`. */
export function goToSignIn(next = location.pathname + location.search): void {
  location.replace(`/sign-in?next=${encodeURIComponent(next)}`);
}
