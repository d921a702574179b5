import { expect, vi } from 'vitest';

const READY = { timeout: 20_000, interval: 50 };

export interface ApiRequest {
  key?: string;
  cookie?: string;
  /** The user that an admin key acts for. */
  user?: string;
  /** A body makes it a POST request. */
  body?: object;
}

/** Sends one request to a running Millrace. Redirects are not followed. */
export async function ask(url: string, { key, cookie, user, body }: ApiRequest = {}): Promise<Response> {
  return fetch(url, {
    redirect: 'manual',
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(cookie && { cookie }),
      ...(user && { 'x-millrace-user': user }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}

/** Waits until canaries have come back, which takes a moment after the start. */
export async function becomesReady(address: string): Promise<void> {
  await vi.waitFor(async () => expect(await statusOf(`${address}/health/ready`)).toBe(200), READY);
}

export async function statusOf(url: string, request: ApiRequest = {}): Promise<number> {
  const response = await ask(url, request);
  await response.body?.cancel();
  return response.status;
}
