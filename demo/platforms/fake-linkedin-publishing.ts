import { type Answer, type Asked, FaultyApi, type Json } from './faulty-api.js';

export const LINKEDIN_TOKEN = 'AQX-linkedin-secret-token';
export const LINKEDIN_AUTHOR = 'urn:li:organization:5583111';

export interface LinkedinPost {
  id: string;
  /** What readers see. */
  text: string;
  commentary: string;
  images: string[];
  link: string | undefined;
  title: string | undefined;
  at: Date;
  modifiedAt: Date;
}

let instances = 0;

/** LinkedIn's Posts and Images APIs for one author. */
export class FakeLinkedinPublishing extends FaultyApi {
  /** What readers see, oldest first. */
  readonly posts: LinkedinPost[] = [];
  readonly images = new Map<string, Buffer | undefined>();
  readonly author: string = LINKEDIN_AUTHOR;
  /** Accepted tokens. */
  tokens = [LINKEDIN_TOKEN];
  /** Most tokens of members may post but not read. */
  mayRead = true;
  refusesRepetitions = true;
  /** How many status requests for a picture are answered with "still processing". */
  processing = 0;
  imageStatus = 'AVAILABLE';
  /** Entries that a listing shows besides posts. */
  oddEntries: unknown[] = [];
  protected readonly showing = 'post';
  private lastNumber = 0n;

  static start({ host = '127.0.0.1' } = {}): Promise<FakeLinkedinPublishing> {
    return new FakeLinkedinPublishing().listen(host);
  }

  /** At a host of its own: what one refuses does not close another. */
  static startApart(): Promise<FakeLinkedinPublishing> {
    instances += 1;
    return FakeLinkedinPublishing.start({ host: `linkedin-${instances}.example` });
  }

  /** Adds a post that Millrace did not publish. */
  add(fields: Partial<LinkedinPost> & { text: string }): LinkedinPost {
    const at = fields.at ?? this.now();
    const { text } = fields;
    const defaults = { commentary: text, images: [], link: undefined, title: undefined, at, modifiedAt: at };
    const post = { id: this.newId(at), ...defaults, ...fields };
    this.posts.push(post);
    return post;
  }

  protected purposeOf({ method, url: { pathname, searchParams } }: Asked): string {
    if (pathname === '/rest/posts') return method === 'POST' ? 'post' : 'list';
    if (pathname.startsWith('/rest/posts/')) return 'read';
    if (pathname === '/rest/images') return searchParams.get('action') ?? '';
    if (pathname.startsWith('/rest/images/')) return 'image';
    return pathname.startsWith('/dms-uploads/') ? 'upload' : 'profile';
  }

  protected answer(asked: Asked): Answer {
    const { pathname } = asked.url;
    const token = asked.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!this.tokens.includes(token)) return problem(401, `The token ${token} used in the request has expired`);
    if (pathname.startsWith('/rest/') && !isVersioned(asked)) return problem(400, 'A version must be present.');
    const purpose = this.purposeOf(asked);
    if (purpose === 'post') return this.publish(JSON.parse(asked.body.toString()));
    if (purpose === 'initializeUpload') return this.initializeUpload(JSON.parse(asked.body.toString()));
    if (purpose === 'upload') return this.upload(asked);
    if (purpose === 'image') return this.image(decodeURIComponent(pathname.slice('/rest/images/'.length)));
    if (!this.mayRead) return problem(403, 'Not enough permissions to access: GET');
    if (purpose === 'list') return this.list(asked);
    if (purpose === 'read') return this.read(decodeURIComponent(pathname.slice('/rest/posts/'.length)));
    if (pathname === '/v2/userinfo') return { status: 200, body: { sub: 'abc', name: 'Ada Lovelace' } };
    return { status: 200, body: { id: 5583111, localizedName: 'Acme', vanityName: 'acme' } };
  }

  private initializeUpload({ initializeUploadRequest }: { initializeUploadRequest?: Json }): Answer {
    if (initializeUploadRequest?.owner !== this.author) return problem(403, 'Not enough permissions: partnerApiImages');
    const image = `urn:li:image:C4E10AQ${this.images.size}`;
    this.images.set(image, undefined);
    const uploadUrl = `${this.url}dms-uploads/${image}?ca=vector`;
    return { status: 200, body: { value: { uploadUrlExpiresAt: Date.now() + 86_400_000, uploadUrl, image } } };
  }

  private upload({ url, body, method }: Asked): Answer {
    const image = url.pathname.slice('/dms-uploads/'.length);
    if (method !== 'PUT' || !this.images.has(image)) return problem(404, 'no such upload');
    this.images.set(image, body);
    return { status: 201 };
  }

  private image(id: string): Answer {
    if (!this.images.has(id)) return problem(404, 'no such image');
    if (!this.images.get(id)) return { status: 200, body: { id, status: 'WAITING_UPLOAD' } };
    this.processing -= 1;
    return { status: 200, body: { id, status: this.processing >= 0 ? 'PROCESSING' : this.imageStatus } };
  }

  private publish(post: Json): Answer {
    const missing = ['author', 'commentary', 'visibility', 'distribution', 'lifecycleState'].find(
      (key) => !(key in post),
    );
    if (missing) return problem(400, `field ${missing} is required but not found`);
    if (post.author !== this.author) return problem(403, 'Organization permissions must be used');
    const { media, multiImage, article } = (post.content ?? {}) as Record<string, Json | undefined>;
    const several = (multiImage?.images ?? []) as Json[];
    const images = [...(media ? [media] : []), ...several].map(({ id }) => String(id));
    if (multiImage && (several.length < 2 || several.length > 20))
      return problem(422, 'multiImage takes 2 to 20 images');
    if (images.some((image) => !this.images.get(image))) return problem(400, 'an image is not there');
    if (article && !(article.source && article.title)) return problem(400, 'an article has a source and a title');
    const commentary = String(post.commentary);
    const text = shownOf(commentary);
    if (text.length > 3000) return problem(422, `text length (${text.length}) exceeds the maximum allowed (3000)`);
    const link = article && String(article.source);
    const repeated = this.posts.find((other) => other.text === text && other.link === link && !images.length);
    if (repeated && this.refusesRepetitions) return repetition(repeated.id);
    const title = article && String(article.title);
    const { id } = this.add({ text, commentary, images, link, title });
    return { status: 201, headers: { 'x-restli-id': id, 'x-linkedin-id': id } };
  }

  private list({ url: { searchParams }, headers }: Asked): Answer {
    const finds = headers['x-restli-method'] === 'FINDER' && searchParams.get('q') === 'author';
    if (!finds || searchParams.get('author') !== this.author) return problem(400, 'no such finder');
    const [start, count] = [Number(searchParams.get('start') ?? 0), Number(searchParams.get('count') ?? 10)];
    if (count > 100) return problem(400, 'count is at most 100');
    const newest = this.posts.toSorted((a, b) => b.modifiedAt.getTime() - a.modifiedAt.getTime());
    const listed = newest.slice(start, start + count).map((post) => this.toElement(post));
    const elements = [...this.oddEntries, ...listed];
    return { status: 200, body: { paging: { start, count, links: [] }, elements } };
  }

  private read(id: string): Answer {
    const post = this.posts.find((one) => one.id === id);
    return post ? { status: 200, body: this.toElement(post) } : problem(404, 'Could not find entity');
  }

  private toElement({ id, commentary, images, link, title, at, modifiedAt }: LinkedinPost): Json {
    const [image] = images;
    const pictures =
      images.length > 1 ? { multiImage: { images: images.map((one) => ({ id: one })) } } : { media: { id: image } };
    const article = { article: { source: link, title, description: null } };
    return {
      id,
      author: this.author,
      commentary: commentary.replace(/(?<=^|\s)#([\p{L}\p{N}]+)/gu, '{hashtag|\\#|$1}'),
      ...((image ?? link) && { content: image ? pictures : article }),
      createdAt: at.getTime(),
      publishedAt: at.getTime(),
      lastModifiedAt: modifiedAt.getTime(),
      lifecycleState: 'PUBLISHED',
      visibility: 'PUBLIC',
      adContext: null,
    };
  }

  private newId(at: Date): string {
    this.lastNumber += 1n;
    return `urn:li:share:${(BigInt(at.getTime()) << 22n) + this.lastNumber}`;
  }
}

const isVersioned = ({ headers }: Asked) =>
  /^20\d{4}$/.test(String(headers['linkedin-version'])) && headers['x-restli-protocol-version'] === '2.0.0';

const problem = (status: number, message: string): Answer => ({
  status,
  body: { message, status, serviceErrorCode: 100, code: 'X' },
});

const repetition = (id: string): Answer => ({
  status: 422,
  body: {
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    message: `com.linkedin.content.common.exception.BadRequestResponseException: Content is a duplicate of ${id}`,
    errorDetails: {
      inputErrors: [{ description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' }],
    },
    status: 422,
  },
});

/** Like the real API, it silently cuts a text at a reserved character that is not escaped. */
function shownOf(commentary: string): string {
  const bare = /(?<!\\)(?:\\\\)*(?:[|{}@[\]()<>*_~]|#(?!\p{N}*\p{L}))/u.exec(commentary);
  return (bare ? commentary.slice(0, bare.index) : commentary).replace(/\\(.)/gsu, '$1');
}
