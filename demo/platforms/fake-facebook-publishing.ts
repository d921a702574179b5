import { bodyOf, FakeGraphApi, graphError, graphTime, noSuchObject, partsOf, picked } from './fake-graph-api.js';
import type { Answer, Asked, Json } from './faulty-api.js';

export const FACEBOOK_TOKEN = 'EAAG-facebook-secret/token+1';
export const FACEBOOK_PAGE = '104500011122233';

export interface PagePost {
  id: string;
  pageId: string;
  text: string;
  link: string | undefined;
  /** Ids of photos. */
  photos: string[];
  at: Date;
}

let instances = 0;

/** The Graph API's page feed, photos and published posts. */
export class FakeFacebookPublishing extends FakeGraphApi {
  /** What readers see, oldest first. */
  readonly posts: PagePost[] = [];
  /** By id. */
  readonly photos = new Map<string, { url: string; isShown: boolean }>();
  /** Refuses a post that repeats the one before it. */
  refusesRepetitions = true;
  /** How it rewrites links: it shows the canonical address of the linked page. */
  canonical: (link: string) => string = (link) => link;
  protected readonly showing = 'feed';

  static start({ host = '127.0.0.1' } = {}): Promise<FakeFacebookPublishing> {
    const api = new FakeFacebookPublishing();
    api.tokens.set(FACEBOOK_TOKEN, FACEBOOK_PAGE);
    return api.listen(host);
  }

  /** At a host of its own: what one refuses does not close another. */
  static startApart(): Promise<FakeFacebookPublishing> {
    instances += 1;
    return FakeFacebookPublishing.start({ host: `facebook-${instances}.example` });
  }

  /** Adds a post that Millrace did not publish. */
  add(fields: Partial<PagePost> & { text: string }): PagePost {
    const pageId = fields.pageId ?? FACEBOOK_PAGE;
    const id = this.newId(`${pageId}_`);
    const post = { id, pageId, link: undefined, photos: [], at: this.now(), ...fields };
    this.posts.push(post);
    return post;
  }

  protected purposeOf(asked: Asked): string {
    const [, edge = 'node'] = partsOf(asked);
    return edge;
  }

  protected act(asked: Asked, actor: string): Answer {
    const [node = '', edge] = partsOf(asked);
    const pageId = node === 'me' ? actor : node;
    if (pageId !== actor) return noSuchObject(pageId);
    const call = `${asked.method} ${edge ?? ''}`;
    if (call === 'GET ') return { status: 200, body: picked({ id: pageId, name: 'Acme Bakery' }, asked.url) };
    if (call === 'POST photos') return this.upload(bodyOf(asked), pageId);
    if (call === 'POST feed') return this.publish(bodyOf(asked), pageId);
    if (call === 'GET published_posts') return this.list(this.shownBy(pageId), asked);
    return graphError(100, `Tried accessing nonexisting field (${edge}) on node type (Page)`);
  }

  private upload({ url, published }: Json, pageId: string): Answer {
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return graphError(324, 'Requires upload file');
    const id = this.newId('77000');
    const isShown = published !== false;
    this.photos.set(id, { url, isShown });
    if (isShown) this.add({ pageId, text: '', photos: [id] });
    return { status: 200, body: { id } };
  }

  private publish({ message, link, attached_media = [] }: Json, pageId: string): Answer {
    const photos = (attached_media as Json[]).map(({ media_fbid }) => String(media_fbid));
    if (!message && !link && !photos.length) return graphError(100, 'You must provide a message, link or media');
    if (link && photos.length) return graphError(100, 'A post has a link or photos');
    if (photos.some((id) => this.photos.get(id)?.isShown !== false)) return graphError(100, 'Invalid attached media');
    const text = String(message ?? '').trim();
    const last = this.posts.findLast((post) => post.pageId === pageId);
    const repeats = last?.text === text && last.link === link && !photos.length;
    if (repeats && this.refusesRepetitions) return graphError(506, 'Duplicate status message');
    for (const id of photos) this.photos.set(id, { url: this.photos.get(id)?.url ?? '', isShown: true });
    const { id } = this.add({ pageId, text, link: link as string | undefined, photos });
    return { status: 200, body: { id } };
  }

  private shownBy(pageId: string): Json[] {
    const newestFirst = this.posts.filter((post) => post.pageId === pageId).toReversed();
    return newestFirst.toSorted((a, b) => b.at.getTime() - a.at.getTime()).map((post) => this.toNode(post));
  }

  private toNode({ id, text, link, photos, at }: PagePost): Json {
    const preview = link && {
      media_type: 'link',
      url: `https://l.facebook.com/l.php?u=x`,
      unshimmed_url: this.canonical(link),
    };
    const shown = photos.map((photo) => ({ media_type: 'photo', target: { id: photo } }));
    const album = { media_type: 'album', target: { id: 'album' }, subattachments: { data: shown } };
    const attachment = photos.length > 1 ? album : (shown[0] ?? preview);
    return {
      id,
      ...(text && { message: text }),
      created_time: graphTime(at),
      permalink_url: `https://www.facebook.com/acme/posts/${id}`,
      ...(attachment && { attachments: { data: [attachment] } }),
    };
  }
}
