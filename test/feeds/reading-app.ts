import { createHash } from 'node:crypto';
import type { Api } from '../harness/api.js';
import { Reader } from './reading.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';

/** A user with an app password, and requests as reading apps send them. */
export async function newReadingApp(api: Api) {
  const reader = new Reader(api);
  const { userName, password, userId } = (await reader.send('POST', '/app-passwords', { name: 'phone' })).json();
  const feverKey = createHash('md5').update(`${userName}:${password}`).digest('hex');
  return {
    reader,
    userId: userId as string,
    userName: userName as string,
    password: password as string,
    feverKey,
    async miniflux(method: Method, path: string, payload?: object) {
      const headers = { 'x-auth-token': password };
      const body = payload && { payload: JSON.stringify(payload) };
      const answer = await api.send({ method, url: `/v1/${path}`, headers, ...body });
      return { status: answer.statusCode, body: answer.body ? answer.json() : undefined, headers: answer.headers };
    },
    async fever(query: string, form = '', path = '/fever/') {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const payload = `api_key=${feverKey}${form && `&${form}`}`;
      const answer = await api.send({ method: 'POST', url: `${path}?api&${query}`, headers, payload });
      return { status: answer.statusCode, body: answer.json() };
    },
  };
}

export type ReadingApp = Awaited<ReturnType<typeof newReadingApp>>;
