import { type Answer, type Asked, FaultyApi, type Json } from './faulty-api.js';

export const MASTODON_TOKEN = 'mastodon-secret/token+1';

export interface MastodonPost {
  id: string;
  /** The username of the account. */
  username: string;
  key: string | undefined;
  text: string;
  media: string[];
  at: Date;
  isReblog: boolean;
}

interface Upload {
  id: string;
  username: string;
  type: string;
  bytes: Buffer;
  isAttached: boolean;
}

const KEYS_LIVE_MS = 3_600_000;
const WINDOW_MS = 3 * 3_600_000;

let instances = 0;

/** The part of a Mastodon instance that publishers use: statuses with idempotency keys, media, rate limits by account. */
export class FakeMastodonPublishing extends FaultyApi {
  /** What readers see, oldest first. */
  readonly posts: MastodonPost[] = [];
  readonly uploads: Upload[] = [];
  /** The username of each token. A load test may add more. */
  readonly tokens = new Map([[MASTODON_TOKEN, 'alice']]);
  honoursKeys = true;
  /** The limit of statuses by account in three hours. */
  most = 300;
  /** How many status requests for a video are answered with "still processing". */
  processing = 0;
  /** How a compatible server changes statuses: what it leaves out or writes differently. */
  writes: (status: Json) => Json = (status) => status;
  protected readonly showing = 'status';
  private readonly keys = new Map<string, { post: MastodonPost; until: number }>();
  private lastId = 113_000_000n;

  static start({ host = '127.0.0.1' } = {}): Promise<FakeMastodonPublishing> {
    return new FakeMastodonPublishing().listen(host);
  }

  /** At a host of its own: what one refuses does not close another. */
  static startApart(): Promise<FakeMastodonPublishing> {
    instances += 1;
    return FakeMastodonPublishing.start({ host: `mastodon-publishing-${instances}.example` });
  }

  /** Adds a status that Millrace did not publish. */
  add(fields: Partial<MastodonPost>): MastodonPost {
    const defaults = { username: 'alice', key: undefined, text: '', media: [], at: this.now(), isReblog: false };
    const post = { id: this.newId(), ...defaults, ...fields };
    this.posts.push(post);
    return post;
  }

  /** Removes media that no status has used in time. */
  removeUploads(): void {
    this.uploads.splice(0, this.uploads.length, ...this.uploads.filter(({ isAttached }) => isAttached));
  }

  protected purposeOf({ method, url: { pathname } }: Asked): string {
    if (pathname === '/api/v1/statuses' && method === 'POST') return 'status';
    if (pathname === '/api/v2/media' && method === 'POST') return 'upload';
    if (pathname.startsWith('/api/v1/media/')) return 'media';
    if (pathname === '/api/v1/accounts/verify_credentials') return 'account';
    return /^\/api\/v1\/accounts\/[^/]+\/statuses$/.test(pathname) ? 'list' : 'unknown';
  }

  protected answer(asked: Asked): Answer {
    const token = asked.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const username = this.tokens.get(token);
    if (!username) return complaint(401, `The access token ${token} is invalid`);
    const purpose = this.purposeOf(asked);
    if (purpose === 'status') return this.publish(asked, username);
    if (purpose === 'upload') return this.upload(asked, username);
    if (purpose === 'media') return this.media(asked.url.pathname.split('/').at(-1) ?? '', username);
    if (purpose === 'account') return { status: 200, body: accountOf(username) };
    return purpose === 'list' ? this.list(asked, username) : complaint(404, 'Record not found');
  }

  private publish({ headers, body }: Asked, username: string): Answer {
    const key = this.honoursKeys ? (headers['idempotency-key'] as string | undefined) : undefined;
    const known = this.keys.get(`${username} ${key}`);
    if (key && known && known.until > this.now().getTime()) return this.shown(known.post);
    const { status: text = '', media_ids: media = [] } = JSON.parse(body.toString());
    const refusal = this.refusalOf(text.trim(), media, username);
    if (refusal) return complaint(422, `Validation failed: ${refusal}`);
    if (this.remaining(username) <= 0)
      return { ...complaint(429, 'Too many requests'), headers: this.limits(username) };
    for (const upload of this.uploads) upload.isAttached ||= media.includes(upload.id);
    const post = this.add({ username, key, text: text.trim(), media });
    if (key) this.keys.set(`${username} ${key}`, { post, until: this.now().getTime() + KEYS_LIVE_MS });
    return this.shown(post);
  }

  private refusalOf(text: string, media: string[], username: string): string | undefined {
    if (!text && !media.length) return "Text can't be blank";
    const counted = text.replace(/https?:\/\/\S+/g, 'x'.repeat(23)).replace(/(@\w+)@[\w.-]+\w/g, '$1');
    if ([...counted].length > 500) return 'Text character limit of 500 exceeded';
    if (media.length > 4) return 'Cannot attach more than 4 files';
    const uploads = media.map((id) => this.uploads.find((upload) => upload.id === id && upload.username === username));
    if (uploads.some((upload) => !upload || upload.isAttached)) return `Media ${media.join(', ')} not found`;
    if (uploads.length > 1 && uploads.some((upload) => !upload?.type.startsWith('image/'))) {
      return 'Cannot attach a video to a post that already contains images';
    }
    const isUnready = this.processing > 0 && uploads.some((upload) => upload?.type.startsWith('video/'));
    return isUnready ? 'Cannot attach files that have not finished processing. Try again in a moment!' : undefined;
  }

  private upload({ headers, body }: Asked, username: string): Answer {
    const [, boundary] = /^multipart\/form-data; boundary=([\w-]{1,70})$/.exec(headers['content-type'] ?? '') ?? [];
    const head = body.indexOf('\r\n\r\n');
    const part =
      /^--([\w-]+)\r\nContent-Disposition: form-data; name="file"; filename="[^"\r\n]+"\r\nContent-Type: (\S+)$/;
    const [, opening, type = ''] = part.exec(body.subarray(0, head).toString()) ?? [];
    const end = body.lastIndexOf(`\r\n--${boundary}--\r\n`);
    if (!boundary || opening !== boundary || end < head)
      return complaint(422, "Validation failed: File can't be blank");
    if (!/^(image|video|audio)\//.test(type)) return complaint(422, 'Validation failed: File content type is invalid');
    const id = this.newId();
    this.uploads.push({ id, username, type, bytes: body.subarray(head + 4, end), isAttached: false });
    const isReady = type.startsWith('image/');
    return { status: isReady ? 200 : 202, body: { id, type: type.split('/')[0], url: isReady ? this.url : null } };
  }

  private media(id: string, username: string): Answer {
    const upload = this.uploads.find((each) => each.id === id && each.username === username && !each.isAttached);
    if (!upload) return complaint(404, 'Record not found');
    if (upload.type.startsWith('video/') && this.processing > 0) {
      this.processing -= 1;
      return { status: 206, body: { id, url: null } };
    }
    return { status: 200, body: { id, url: this.url } };
  }

  private list({ url: { pathname, searchParams } }: Asked, username: string): Answer {
    if (pathname.split('/')[4] !== accountOf(username).id) return { status: 200, body: [] };
    const limit = Math.min(Number(searchParams.get('limit') ?? 20), 40);
    const maxId = BigInt(searchParams.get('max_id') ?? Number.MAX_SAFE_INTEGER);
    const isListed = (post: MastodonPost) =>
      post.username === username &&
      BigInt(post.id) < maxId &&
      !(post.isReblog && searchParams.get('exclude_reblogs') === 'true');
    const listed = this.posts.filter(isListed).toSorted((a, b) => Number(BigInt(b.id) - BigInt(a.id)));
    return { status: 200, body: listed.slice(0, limit).map((post) => this.statusOf(post)) };
  }

  private shown(post: MastodonPost): Answer {
    return { status: 200, body: this.statusOf(post), headers: this.limits(post.username) };
  }

  private limits(username: string): Record<string, string> {
    const reset = new Date((Math.floor(this.now().getTime() / WINDOW_MS) + 1) * WINDOW_MS);
    return {
      'X-RateLimit-Limit': String(this.most),
      'X-RateLimit-Remaining': String(Math.max(this.remaining(username), 0)),
      'X-RateLimit-Reset': reset.toISOString().replace('Z', '000Z'),
    };
  }

  private remaining(username: string): number {
    const since = Math.floor(this.now().getTime() / WINDOW_MS) * WINDOW_MS;
    const isCounted = (post: MastodonPost) => post.username === username && post.at.getTime() >= since;
    return this.most - this.posts.filter(isCounted).length;
  }

  private statusOf({ id, username, text, media, at, isReblog }: MastodonPost): Json {
    return this.writes({
      id,
      created_at: at.toISOString(),
      url: isReblog ? null : `${this.url}@${username}/${id}`,
      content: contentOf(text),
      reblog: isReblog ? { id: '1' } : null,
      account: accountOf(username),
      media_attachments: media.map((file) => ({ id: file })),
      in_reply_to_id: null,
      spoiler_text: '',
      card: null,
    });
  }

  private newId(): string {
    this.lastId += 7n;
    return String(this.lastId);
  }
}

const complaint = (status: number, error: string): Answer => ({ status, body: { error } });

function accountOf(username: string) {
  return { id: `10${[...username].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7)}`, username, acct: username };
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** Formats text as Mastodon does: shortened addresses, mentions without their instance. */
function contentOf(text: string): string {
  const html = escaped(text)
    .replace(/(https?:\/\/)([^\s<]{1,30})(\S*)/g, (whole, scheme, start, rest) => {
      const spans = `<span class="invisible">${scheme}</span><span class="ellipsis">${start}</span><span class="invisible">${rest}</span>`;
      return `<a href="${whole}" target="_blank" rel="nofollow noopener" translate="no">${spans}</a>`;
    })
    .replace(/(?<![\w/>])@(\w+)@([\w.-]+\w)/g, (_, user, host) => {
      const link = `<a href="https://${host}/@${user}" class="u-url mention">@<span>${user}</span></a>`;
      return `<span class="h-card" translate="no">${link}</span>`;
    });
  return `<p>${html.replace(/\n\n+/g, '</p><p>').replaceAll('\n', '<br />')}</p>`;
}
