import type { Api } from '../harness/api.js';
import { Reader } from './reading.js';

export interface GoogleItem {
  id: string;
  title: string;
  published: number;
  timestampUsec: string;
  categories: string[];
  origin: { streamId: string; title: string; htmlUrl: string };
  summary: { content: string };
  canonical: { href: string }[];
  alternate: { href: string; type: string }[];
}

type Form = [string, string][] | Record<string, string>;

/** A reading app of a user of its own, signed in as apps are. */
export class GoogleReaderClient {
  private constructor(
    readonly api: Api,
    readonly reader: Reader,
    readonly userName: string,
    readonly password: string,
    private readonly base: string,
    private readonly token: string,
  ) {}

  static async signedIn(api: Api, base = '/api/greader.php'): Promise<GoogleReaderClient> {
    const reader = new Reader(api);
    const { userName, password } = (await reader.send('POST', '/app-passwords', { name: 'test' })).json();
    const payload = new URLSearchParams({ Email: userName, Passwd: password }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await api.send({ method: 'POST', url: `${base}/accounts/ClientLogin`, headers, payload });
    const token = /^Auth=(.+)$/m.exec(body)?.[1] ?? '';
    return new GoogleReaderClient(api, reader, userName, password, base, token);
  }

  get headers() {
    return { authorization: `GoogleLogin auth=${this.token}` };
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.api.send({ url: `${this.base}/reader/${path}`, headers: { ...this.headers, ...headers } });
  }

  post(path: string, form: Form, type = 'application/x-www-form-urlencoded') {
    const headers = { ...this.headers, ...(type && { 'content-type': type }) };
    const payload = new URLSearchParams(form).toString();
    return this.api.send({ method: 'POST', url: `${this.base}/reader/${path}`, headers, payload });
  }

  async ids(query = ''): Promise<string[]> {
    const { itemRefs } = (await this.get(`api/0/stream/items/ids?output=json&n=1000&${query}`)).json();
    return itemRefs.map(({ id }: { id: string }) => id);
  }

  async unread(): Promise<string[]> {
    return this.ids('s=user/-/state/com.google/reading-list&xt=user/-/state/com.google/read');
  }

  async starred(): Promise<string[]> {
    return this.ids('s=user/-/state/com.google/starred');
  }

  async items(path: string): Promise<GoogleItem[]> {
    return (await this.get(path)).json().items;
  }

  edit(ids: string[], form: Record<string, string>) {
    return this.post('api/0/edit-tag', [...ids.map((id): [string, string] => ['i', id]), ...Object.entries(form)]);
  }
}
