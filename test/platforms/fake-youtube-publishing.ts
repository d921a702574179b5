import { type Answer, type Asked, FaultyApi, type Json } from './faulty-api.js';

export const YOUTUBE_CREDENTIALS = {
  clientId: 'client-1.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-client-secret',
  refreshToken: '1//refresh-token-secret',
};
const UNIT = 256 * 1024;

export interface YoutubeVideo {
  id: string;
  title: string;
  description: string;
  privacyStatus: string;
  bytes: Buffer;
  at: Date;
}

interface Session {
  metadata: { snippet: Json; status: Json };
  size: number;
  bytes: Buffer;
  video: YoutubeVideo | undefined;
}

let instances = 0;

/** Google's token endpoint, and resumable uploads and lists of videos of YouTube's Data API v3. */
export class FakeYoutubePublishing extends FaultyApi {
  /** Complete uploads, oldest first. */
  readonly posts: YoutubeVideo[] = [];
  readonly sessions = new Map<string, Session>();
  /** Valid access tokens. All issued tokens are valid until a test removes them. */
  readonly tokens = new Set<string>();
  /** Whether the refresh token is valid. */
  mayRefresh = true;
  hasChannel = true;
  /** Entries of a list besides videos. */
  oddEntries: unknown[] = [];
  /** Where projects are not audited. */
  keepsPrivate = false;
  /** Accepts only this many bytes of a chunk, as if the connection had broken. */
  takesAtMost = Number.POSITIVE_INFINITY;
  protected readonly showing = 'complete';

  static start({ host = '127.0.0.1' } = {}): Promise<FakeYoutubePublishing> {
    return new FakeYoutubePublishing().listen(host);
  }

  /** Starts at its own host, because a refusal closes the host for all. */
  static startApart(): Promise<FakeYoutubePublishing> {
    instances += 1;
    return FakeYoutubePublishing.start({ host: `youtube-${instances}.example` });
  }

  get config() {
    return { youtubeApiUrl: this.url, googleTokenUrl: `${this.url}token` };
  }

  add(fields: Partial<YoutubeVideo> = {}): YoutubeVideo {
    const id = `video-${this.posts.length}`;
    const defaults = {
      id,
      title: '',
      description: '',
      privacyStatus: 'public',
      bytes: Buffer.alloc(0),
      at: this.now(),
    };
    const video = { ...defaults, ...fields };
    this.posts.push(video);
    return video;
  }

  protected purposeOf({ method, url, headers }: Asked): string {
    if (url.pathname === '/token') return 'token';
    if (url.pathname === '/youtube/v3/channels') return 'channel';
    if (url.pathname === '/youtube/v3/playlistItems') return 'list';
    if (method === 'POST') return 'begin';
    const range = rangeOf(headers['content-range']);
    if (!range) return 'standing';
    return range.last + 1 === range.size ? 'complete' : 'piece';
  }

  protected answer(asked: Asked): Answer {
    const purpose = this.purposeOf(asked);
    if (purpose === 'token') return this.grant(new URLSearchParams(asked.body.toString()));
    const token = asked.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!this.tokens.has(token)) return problem(401, 'authError', `Invalid Credentials: ${token}`);
    if (purpose === 'channel') return { status: 200, body: { items: this.hasChannel ? [CHANNEL] : [] } };
    if (purpose === 'list') return this.list(asked.url.searchParams);
    if (purpose === 'begin') return this.begin(asked);
    const session = this.sessions.get(asked.url.searchParams.get('upload_id') ?? '');
    if (!session) return problem(404, 'notFound', 'no such upload');
    return purpose === 'standing' ? standing(session) : this.take(session, asked);
  }

  private grant(form: URLSearchParams): Answer {
    const { clientId, clientSecret, refreshToken } = YOUTUBE_CREDENTIALS;
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return { status: 401, body: { error: 'invalid_client', error_description: `Unauthorized: ${form}` } };
    }
    const isGood = form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === refreshToken;
    if (!isGood || !this.mayRefresh) {
      const error_description = `Token has been expired or revoked: ${form.get('refresh_token')}`;
      return { status: 400, body: { error: 'invalid_grant', error_description } };
    }
    const access_token = `ya29.access-token-secret-${this.calls.length}`;
    this.tokens.add(access_token);
    return { status: 200, body: { access_token, expires_in: 3599, scope: 'youtube', token_type: 'Bearer' } };
  }

  private begin({ url, headers, body }: Asked): Answer {
    const isUpload = url.pathname === '/upload/youtube/v3/videos' && url.searchParams.get('uploadType') === 'resumable';
    if (!isUpload || url.searchParams.get('part') !== 'snippet,status') return problem(400, 'badRequest', 'no upload');
    const metadata = JSON.parse(body.toString());
    const { title, description } = metadata.snippet;
    if (!title || title.length > 100 || /[<>]/.test(title)) return problem(400, 'invalidTitle', 'an invalid title');
    if (Buffer.byteLength(description) > 5000) return problem(400, 'invalidDescription', 'an invalid description');
    const size = Number(headers['x-upload-content-length']);
    if (!size || !headers['x-upload-content-type']) return problem(400, 'mediaBodyRequired', 'no size or type');
    const id = `upload-${this.sessions.size}`;
    this.sessions.set(id, { metadata, size, bytes: Buffer.alloc(0), video: undefined });
    const Location = `${this.url}upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}`;
    return { status: 200, headers: { Location } };
  }

  private take(session: Session, { headers, body }: Asked): Answer {
    const range = rangeOf(headers['content-range']);
    if (session.video || !range) return standing(session);
    const isLast = range.last + 1 === range.size;
    const fits = range.size === session.size && range.first === session.bytes.length;
    if (!fits || body.length !== range.last - range.first + 1) return problem(400, 'badRequest', 'a wrong range');
    if (!isLast && body.length % UNIT) return problem(400, 'badRequest', 'a piece of a wrong size');
    session.bytes = Buffer.concat([session.bytes, body.subarray(0, this.takesAtMost)]);
    if (session.bytes.length === session.size) session.video = this.made(session);
    return standing(session);
  }

  private made({ metadata, bytes }: Session): YoutubeVideo {
    const { title, description } = metadata.snippet as { title: string; description: string };
    const privacyStatus = this.keepsPrivate ? 'private' : String(metadata.status.privacyStatus);
    return this.add({ title, description, privacyStatus, bytes });
  }

  private list(asked: URLSearchParams): Answer {
    if (asked.get('playlistId') !== 'UU-uploads') return problem(404, 'playlistNotFound', 'no such playlist');
    const [start, count] = [Number(asked.get('pageToken') ?? 0), Number(asked.get('maxResults') ?? 5)];
    if (count > 50) return problem(400, 'badRequest', 'at most 50');
    const newest = this.posts.toSorted((a, b) => b.at.getTime() - a.at.getTime());
    const items = [...this.oddEntries, ...newest.slice(start, start + count).map(toItem)];
    const more = start + count < newest.length && { nextPageToken: String(start + count) };
    return { status: 200, body: { items, ...more } };
  }
}

const CHANNEL = {
  kind: 'youtube#channel',
  id: 'UC-channel',
  snippet: { title: 'Bakery films' },
  contentDetails: { relatedPlaylists: { likes: '', uploads: 'UU-uploads' } },
};

function standing({ video, bytes }: Session): Answer {
  if (video) {
    const { id, title, description, privacyStatus } = video;
    const status = { uploadStatus: 'uploaded', privacyStatus };
    return { status: 200, body: { kind: 'youtube#video', id, snippet: { title, description }, status } };
  }
  return { status: 308, ...(bytes.length > 0 && { headers: { Range: `bytes=0-${bytes.length - 1}` } }) };
}

const toItem = ({ id, title, description, privacyStatus, at }: YoutubeVideo) => ({
  snippet: { title, description, publishedAt: at.toISOString() },
  contentDetails: { videoId: id },
  status: { privacyStatus },
});

function rangeOf(header = '') {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header) ?? [];
  return size === undefined ? undefined : { first: Number(first), last: Number(last), size: Number(size) };
}

export const problem = (code: number, reason: string, message: string): Answer => ({
  status: code,
  body: { error: { code, message, errors: [{ message, domain: 'youtube.video', reason }] } },
});
