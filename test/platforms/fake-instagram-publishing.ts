import {
  bodyOf,
  FakeGraphApi,
  graphError,
  graphTime,
  isDayOld,
  noSuchObject,
  partsOf,
  picked,
} from './fake-graph-api.js';
import type { Answer, Asked, Json } from './faulty-api.js';

export const INSTAGRAM_TOKEN = 'IGAA-instagram-secret/token+1';
export const INSTAGRAM_USER = '17841400008460056';

export interface InstagramPost {
  id: string;
  userId: string;
  /** The caption. */
  text: string;
  type: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  /** Addresses of its pictures and videos. */
  media: string[];
  containerId: string | undefined;
  at: Date;
}

export interface FakeContainer {
  userId: string;
  type: InstagramPost['type'];
  caption: string;
  media: string[];
  isPart: boolean;
  status: 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'PUBLISHED';
  words: string;
  /** How many times its status is still IN_PROGRESS. */
  looks: number;
  madeAt: Date;
}

let instances = 0;

/** Content publishing of the Graph API: containers, their status, publishing them once, media, and the daily quota. */
export class FakeInstagramPublishing extends FakeGraphApi {
  /** The posts that readers see, oldest first. */
  readonly posts: InstagramPost[] = [];
  readonly containers = new Map<string, FakeContainer>();
  quota = 100_000;
  /** How many times the status of a new container is still IN_PROGRESS. */
  working = 0;
  /** New containers fail for this reason. */
  spoils: string | undefined;
  /** Posts that exist but are not listed yet. */
  isListing = true;
  protected readonly showing = 'media_publish';

  static start({ host = '127.0.0.1' } = {}): Promise<FakeInstagramPublishing> {
    const api = new FakeInstagramPublishing();
    api.tokens.set(INSTAGRAM_TOKEN, INSTAGRAM_USER);
    return api.listen(host);
  }

  /** Starts at its own host, because a refusal closes the host for all. */
  static startApart(): Promise<FakeInstagramPublishing> {
    instances += 1;
    return FakeInstagramPublishing.start({ host: `instagram-${instances}.example` });
  }

  /** Adds a post of another person or publication. */
  add(fields: Partial<InstagramPost> & { text: string }): InstagramPost {
    const defaults = { type: 'IMAGE' as const, media: ['https://files.example/other.jpg'], containerId: undefined };
    const post = { id: this.newId('178990'), userId: INSTAGRAM_USER, ...defaults, at: this.now(), ...fields };
    this.posts.push(post);
    return post;
  }

  protected purposeOf(asked: Asked): string {
    const [node = '', edge] = partsOf(asked);
    if (edge === 'media') return asked.method === 'POST' ? 'container' : 'list';
    if (edge) return edge;
    return this.containers.has(node) ? 'status' : 'node';
  }

  protected act(asked: Asked, actor: string): Answer {
    const [node = '', edge] = partsOf(asked);
    const call = `${asked.method} ${edge ?? ''}`;
    if (call === 'GET ') return this.read(node, asked, actor);
    if (node !== actor) return noSuchObject(node);
    if (call === 'POST media') return this.contain(bodyOf(asked), node);
    if (call === 'POST media_publish') return this.publish(String(bodyOf(asked).creation_id), node);
    if (call === 'GET media') return this.list(this.shownBy(node), asked);
    if (call !== 'GET content_publishing_limit') return graphError(100, `Tried accessing nonexisting field (${edge})`);
    const config = { quota_total: this.quota, quota_duration: 86_400 };
    return { status: 200, body: { data: [picked({ quota_usage: this.usedBy(node), config }, asked.url)] } };
  }

  private read(id: string, { url }: Asked, actor: string): Answer {
    if (id === actor) return { status: 200, body: picked({ id, username: 'acme.bakery', name: 'Acme' }, url) };
    const post = this.posts.find((one) => one.id === id);
    if (post) return { status: 200, body: picked(toNode(post), url) };
    const container = this.containers.get(id);
    if (!container) return noSuchObject(id);
    const status_code = this.statusOf(container);
    container.looks -= 1;
    return { status: 200, body: picked({ id, status_code, status: `${status_code}: ${container.words}` }, url) };
  }

  private contain(
    { image_url, video_url, media_type, caption = '', children, is_carousel_item }: Json,
    userId: string,
  ): Answer {
    const parts = typeof children === 'string' ? children.split(',').map((id) => this.containers.get(id)) : [];
    const isCarousel = media_type === 'CAROUSEL';
    const source = image_url ?? video_url;
    if (isCarousel && (parts.length < 2 || parts.length > 10)) return graphError(100, 'carousel', { sub: 2207028 });
    const isReady = parts.every((part) => part?.isPart && this.statusOf(part) === 'FINISHED');
    if (!isReady) return graphError(100, 'Invalid children', { sub: 2207006 });
    if (!isCarousel && !/^https?:\/\//.test(String(source)))
      return graphError(9004, 'Only photo or video', { sub: 2207052 });
    const videoType = is_carousel_item ? 'VIDEO' : 'REELS';
    if (video_url && media_type !== videoType) return graphError(100, 'unknown media type', { sub: 2207023 });
    if ([...String(caption)].length > 2200) return graphError(36004, 'The caption was too long', { sub: 2207010 });
    const id = this.newId('178894');
    this.containers.set(id, {
      userId,
      type: isCarousel ? 'CAROUSEL_ALBUM' : video_url ? 'VIDEO' : 'IMAGE',
      caption: String(caption),
      media: isCarousel ? parts.flatMap((part) => part?.media ?? []) : [String(source)],
      isPart: is_carousel_item === true,
      status: this.spoils === undefined ? 'FINISHED' : 'ERROR',
      words: this.spoils ?? '',
      looks: this.working,
      madeAt: this.now(),
    });
    return { status: 200, body: { id } };
  }

  private publish(id: string, userId: string): Answer {
    const container = this.containers.get(id);
    const status = container && this.statusOf(container);
    const isThere =
      container?.userId === userId && !container.isPart && (status === 'FINISHED' || status === 'IN_PROGRESS');
    if (!isThere) return graphError(24, `The media builder ${id} does not exist or has been expired`, { sub: 2207008 });
    if (status === 'IN_PROGRESS') return graphError(9007, 'Media ID is not available', { sub: 2207027 });
    if (this.usedBy(userId) >= this.quota) return graphError(9, 'maximum number of posts', { sub: 2207042 });
    container.status = 'PUBLISHED';
    const { caption, type, media } = container;
    const post = this.add({ userId, text: caption.trim(), type, media, containerId: id });
    return { status: 200, body: { id: post.id } };
  }

  private statusOf({ status, looks, madeAt }: FakeContainer): FakeContainer['status'] | 'EXPIRED' {
    if (status === 'PUBLISHED') return status;
    if (isDayOld(madeAt, this.now())) return 'EXPIRED';
    return looks > 0 ? 'IN_PROGRESS' : status;
  }

  private usedBy(userId: string): number {
    return this.posts.filter((post) => post.userId === userId && !isDayOld(post.at, this.now())).length;
  }

  private shownBy(userId: string): Json[] {
    const listed = this.posts.filter((post) => this.isListing && post.userId === userId).toReversed();
    return listed.toSorted((a, b) => b.at.getTime() - a.at.getTime()).map(toNode);
  }
}

function toNode({ id, text, type, media, at }: InstagramPost): Json {
  return {
    id,
    ...(text && { caption: text }),
    media_type: type,
    timestamp: graphTime(at),
    permalink: `https://www.instagram.com/p/${id}/`,
    ...(type === 'CAROUSEL_ALBUM' && { children: { data: media.map((_, at) => ({ id: `${id}${at}` })) } }),
  };
}
