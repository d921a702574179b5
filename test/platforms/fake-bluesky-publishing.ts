import { createHash } from 'node:crypto';
import { type Answer, type Asked, FaultyApi, type Json } from './faulty-api.js';

export const BLUESKY_PASSWORD = 'app-pass "word" 1';
export const ALICE = { did: 'did:plc:aliceaaaaaaaaaaaaaaaaaaa', handle: 'alice.example' };
export const BOB = { did: 'did:plc:bobbbbbbbbbbbbbbbbbbbbbb', handle: 'bob.example' };

export interface BlueskyPost {
  uri: string;
  rkey: string;
  did: string;
  text: string;
  record: Json;
  at: Date;
}

interface Account {
  did: string;
  handle: string;
  password: string;
}

const TID = /^[234567a-j][234567a-z]{12}$/;
const SECONDS_OF_ACCESS = 7_200;
const HOUR_MS = 3_600_000;

let instances = 0;

/** A personal data server: sessions that expire, blobs, records with keys, and points for writes. */
export class FakeBlueskyPublishing extends FaultyApi {
  /** The posts that readers see, oldest first. */
  readonly posts: BlueskyPost[] = [];
  readonly blobs = new Map<string, { bytes: Buffer; type: string }>();
  /** A load test may add more accounts. */
  readonly accounts: Account[] = [{ ...ALICE, password: BLUESKY_PASSWORD }];
  /** Points that an account may spend per hour. A post costs two. */
  most = 5_000;
  /** Address of the server that holds the account, if it is another one. */
  pds: string | undefined;
  active = true;
  protected readonly showing = 'post';
  private readonly access = new Map<string, { did: string; until: number }>();
  private readonly refreshing = new Map<string, string>();
  private tokens = 0;

  static start({ host = '127.0.0.1' } = {}): Promise<FakeBlueskyPublishing> {
    return new FakeBlueskyPublishing().listen(host);
  }

  /** Starts at its own host, because a refusal closes the host for all. */
  static startApart(): Promise<FakeBlueskyPublishing> {
    instances += 1;
    return FakeBlueskyPublishing.start({ host: `bluesky-publishing-${instances}.example` });
  }

  /** Refuses the current access token until it is renewed. */
  expireAccess(): void {
    for (const session of this.access.values()) session.until = 0;
  }

  /** Ends all sessions, so that only the password helps. */
  endSessions(): void {
    this.access.clear();
    this.refreshing.clear();
  }

  protected purposeOf({ url: { pathname } }: Asked): string {
    return PURPOSES[pathname.replace(/^\/xrpc\//, '')] ?? 'unknown';
  }

  protected answer(asked: Asked): Answer {
    const purpose = this.purposeOf(asked);
    if (purpose === 'sign in') return this.signIn(JSON.parse(asked.body.toString()));
    if (purpose === 'renew') return this.renew(tokenOf(asked));
    if (purpose === 'handle') return resolved(asked.url.searchParams.get('handle') ?? '');
    if (purpose === 'look') return this.look(asked.url.searchParams);
    const session = this.access.get(tokenOf(asked));
    if (!session) return xrpcError(401, 'InvalidToken', `Bad token ${tokenOf(asked)}`);
    if (session.until <= this.now().getTime()) return xrpcError(400, 'ExpiredToken', 'Token has expired');
    if (purpose === 'upload') return this.upload(asked);
    if (purpose === 'post') return this.put(JSON.parse(asked.body.toString()), session.did);
    return xrpcError(501, 'MethodNotImplemented', 'Method Not Implemented');
  }

  private signIn({ identifier, password }: { identifier?: string; password?: string }): Answer {
    const account = this.accounts.find(({ did, handle }) => identifier === did || identifier === handle);
    if (!account || account.password !== password) {
      return xrpcError(401, 'AuthenticationRequired', `Invalid identifier or password: ${password}`);
    }
    return this.session(account);
  }

  private renew(token: string): Answer {
    const account = this.accounts.find(({ did }) => did === this.refreshing.get(token));
    if (!account) return xrpcError(400, 'ExpiredToken', 'Token has been revoked');
    this.refreshing.delete(token);
    return this.session(account);
  }

  private session({ did, handle }: Account): Answer {
    this.tokens += 1;
    const exp = Math.floor(this.now().getTime() / 1000) + SECONDS_OF_ACCESS;
    const [accessJwt, refreshJwt] = [
      jwt({ exp, sub: did, n: this.tokens }),
      jwt({ sub: did, scope: 'refresh', n: this.tokens }),
    ];
    this.access.set(accessJwt, { did, until: exp * 1000 });
    this.refreshing.set(refreshJwt, did);
    const endpoint = { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: this.pds ?? this.url };
    const didDoc = { id: did, service: [{ id: 7 }, endpoint] };
    const state = this.active ? { active: true } : { active: false, status: 'deactivated' };
    return { status: 200, body: { did, handle, accessJwt, refreshJwt, didDoc, ...state } };
  }

  private upload({ headers, body }: Asked): Answer {
    const type = headers['content-type'] ?? '';
    if (!body.length || !type) return xrpcError(400, 'InvalidRequest', 'Request encoding (Content-Type) required');
    const $link = `bafkrei${createHash('sha256').update(body).digest('hex').slice(0, 52)}`;
    this.blobs.set($link, { bytes: body, type });
    return { status: 200, body: { blob: { $type: 'blob', ref: { $link }, mimeType: type, size: body.length } } };
  }

  private put({ repo, collection, rkey, record, swapRecord }: Json, did: string): Answer {
    if (repo !== did) return xrpcError(401, 'AuthenticationRequired', 'Authentication Required');
    if (collection !== 'app.bsky.feed.post' || typeof rkey !== 'string' || !TID.test(rkey)) {
      return xrpcError(400, 'InvalidRequest', `Invalid record key for ${collection}`);
    }
    if (this.points(did) < 2)
      return { ...xrpcError(429, 'RateLimitExceeded', 'Rate Limit Exceeded'), headers: this.limits(did) };
    const error = this.errorOf(record as Json);
    if (error) return error;
    const uri = `at://${did}/${collection}/${rkey}`;
    const known = this.posts.find((post) => post.uri === uri);
    const written: Answer = {
      status: 200,
      body: { uri, cid: 'bafyrei', validationStatus: 'valid' },
      headers: this.limits(did),
    };
    if (known && JSON.stringify(known.record) === JSON.stringify(record)) return written;
    if (known && swapRecord === null) return xrpcError(400, 'InvalidSwap', 'Record was at bafyrei');
    if (known) Object.assign(known, { record, text: (record as Json).text });
    else
      this.posts.push({ uri, rkey, did, text: String((record as Json).text), record: record as Json, at: this.now() });
    return { ...written, headers: this.limits(did) };
  }

  private errorOf({ $type, text, createdAt, facets = [], embed }: Json): Answer | undefined {
    const invalid = (why: string) => xrpcError(400, 'InvalidRequest', `Invalid app.bsky.feed.post record: ${why}`);
    if ($type !== 'app.bsky.feed.post' || typeof text !== 'string') return invalid('Record/text must be a string');
    if (Number.isNaN(Date.parse(String(createdAt)))) return invalid('Record/createdAt must be a datetime');
    const bytes = Buffer.from(text);
    const graphemes = [...new Intl.Segmenter().segment(text)].length;
    if (graphemes > 300 || bytes.length > 3_000) return invalid('Record/text must not be longer than 300 graphemes');
    const isOutside = ({ index }: Json) => (index as { byteEnd: number }).byteEnd > bytes.length;
    if ((facets as Json[]).some(isOutside)) return invalid('Record/facets are outside of the text');
    return embed ? this.errorOfEmbed(embed as Json) : undefined;
  }

  private errorOfEmbed({ $type, external, images }: Json): Answer | undefined {
    if ($type === 'app.bsky.embed.external') {
      const { uri, title, description } = external as Json;
      const isWhole = [uri, title, description].every((field) => typeof field === 'string');
      return isWhole ? undefined : xrpcError(400, 'InvalidRequest', 'Record/embed/external must have a title');
    }
    const pictures = images as { image: { ref: { $link: string }; size: number }; alt?: unknown }[];
    const isFit = $type === 'app.bsky.embed.images' && pictures.length <= 4;
    if (!isFit || pictures.some(({ alt, image }) => typeof alt !== 'string' || image.size > 2_000_000)) {
      return xrpcError(400, 'InvalidRequest', 'Record/embed is invalid');
    }
    const missing = pictures.find(({ image }) => !this.blobs.has(image.ref.$link));
    return missing && xrpcError(400, 'BlobNotFound', `Could not find blob: ${missing.image.ref.$link}`);
  }

  private look(asked: URLSearchParams): Answer {
    const uri = `at://${asked.get('repo')}/${asked.get('collection')}/${asked.get('rkey')}`;
    const post = this.posts.find((each) => each.uri === uri);
    if (!post) return xrpcError(400, 'RecordNotFound', `Could not locate record: ${uri}`);
    return { status: 200, body: { uri, cid: 'bafyrei', value: post.record } };
  }

  private points(did: string): number {
    const since = this.now().getTime() - HOUR_MS;
    return this.most - 2 * this.posts.filter((post) => post.did === did && post.at.getTime() > since).length;
  }

  private limits(did: string): Record<string, string> {
    return {
      'RateLimit-Limit': String(this.most),
      'RateLimit-Remaining': String(Math.max(this.points(did), 0)),
      'RateLimit-Reset': String(Math.floor((this.now().getTime() + HOUR_MS) / 1000)),
      'RateLimit-Policy': `${this.most};w=3600`,
    };
  }
}

const PURPOSES: Record<string, string> = {
  'com.atproto.server.createSession': 'sign in',
  'com.atproto.server.refreshSession': 'renew',
  'com.atproto.identity.resolveHandle': 'handle',
  'com.atproto.repo.uploadBlob': 'upload',
  'com.atproto.repo.putRecord': 'post',
  'com.atproto.repo.getRecord': 'look',
};

const tokenOf = ({ headers }: Asked) => headers.authorization?.replace(/^Bearer /, '') ?? '';

const xrpcError = (status: number, error: string, message: string): Answer => ({ status, body: { error, message } });

function resolved(handle: string): Answer {
  const account = [ALICE, BOB].find((each) => each.handle === handle);
  if (!account) return xrpcError(400, 'HandleNotFound', 'Unable to resolve handle');
  return { status: 200, body: { did: account.did } };
}

const jwt = (claims: Json) =>
  ['{"alg":"HS256"}', JSON.stringify(claims), 'signed']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
