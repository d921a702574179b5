import { onTestFinished } from 'vitest';
import type { Content } from '../../src/publishing/platform.js';
import { startSite } from '../harness/site.js';
import { FakeBlueskyPublishing } from '../platforms/fake-bluesky-publishing.js';
import { FakeFacebookPublishing } from '../platforms/fake-facebook-publishing.js';
import { FakeMastodonPublishing } from '../platforms/fake-mastodon-publishing.js';
import { FakeWebhookPublishing, WEBHOOK_SECRET } from '../platforms/fake-webhook-publishing.js';
import { FakeYoutubePublishing, YOUTUBE_CREDENTIALS } from '../platforms/fake-youtube-publishing.js';
import type { Environment } from '../program/millrace-process.js';

export const WORLD_PLATFORMS = ['facebook', 'mastodon', 'bluesky', 'webhook', 'youtube'] as const;
export type WorldPlatform = (typeof WORLD_PLATFORMS)[number];

/** A post as its platform shows it. */
export interface Shown {
  platform: WorldPlatform;
  postId: string;
  text: string;
  at: Date;
}

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const VIDEO = Buffer.from('000000186674797069736f6d0000000069736f6d', 'hex');

/** The platforms, outside of Millrace's processes, with what they show and what they take from whom. */
export class PlatformWorld {
  private constructor(
    readonly facebook: FakeFacebookPublishing,
    readonly mastodon: FakeMastodonPublishing,
    readonly bluesky: FakeBlueskyPublishing,
    readonly webhook: FakeWebhookPublishing,
    readonly youtube: FakeYoutubePublishing,
    private readonly files: string,
  ) {}

  static async start(): Promise<PlatformWorld> {
    const files = await startSite(({ url = '' }, response) => {
      const isVideo = url.endsWith('.mp4');
      response.writeHead(200, { 'content-type': isVideo ? 'video/mp4' : 'image/png' }).end(isVideo ? VIDEO : PICTURE);
    });
    const world = new PlatformWorld(
      await FakeFacebookPublishing.start(),
      await FakeMastodonPublishing.start(),
      await FakeBlueskyPublishing.start(),
      await FakeWebhookPublishing.start(),
      await FakeYoutubePublishing.start(),
      files.url('/', '127.0.0.1'),
    );
    onTestFinished(async () => void (await Promise.all(world.all.map((fake) => fake.close()))));
    return world;
  }

  get all() {
    return [this.facebook, this.mastodon, this.bluesky, this.webhook, this.youtube];
  }

  get environment(): Environment {
    return {
      MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
      MILLRACE_FACEBOOK_URL: this.facebook.url,
      MILLRACE_YOUTUBE_API_URL: this.youtube.url,
      MILLRACE_GOOGLE_TOKEN_URL: this.youtube.config.googleTokenUrl,
    };
  }

  /** Credentials of somebody new on a platform. */
  join(platform: WorldPlatform, name: string): object {
    switch (platform) {
      case 'facebook': {
        const pageId = String(1_000_000 + this.facebook.tokens.size);
        this.facebook.tokens.set(`EAAG-${name}`, pageId);
        return { pageId, accessToken: `EAAG-${name}` };
      }
      case 'mastodon':
        this.mastodon.tokens.set(`token-${name}`, name);
        return { baseUrl: this.mastodon.url, accessToken: `token-${name}` };
      case 'bluesky': {
        const [handle, password] = [`${name}.example`, `password of ${name}`];
        this.bluesky.accounts.push({ did: `did:plc:${name}`, handle, password });
        return { service: this.bluesky.url, identifier: handle, password };
      }
      case 'webhook':
        return { url: `${this.webhook.url}${name}`, secret: WEBHOOK_SECRET };
      case 'youtube':
        return YOUTUBE_CREDENTIALS;
    }
  }

  /** What somebody wants to say there; with files, if the platform takes them in steps of their own. */
  content(platform: WorldPlatform, text: string, { inSteps }: { inSteps: boolean }): Content {
    if (platform === 'youtube') return { text, title: text, mediaUrls: [`${this.files}film.mp4`] };
    const pictures = inSteps && platform !== 'webhook' ? ['a', 'b'] : [];
    return { text, mediaUrls: pictures.map((name) => `${this.files}${name}.png`) };
  }

  /** Everything that readers see. */
  shown(): Shown[] {
    const { facebook, mastodon, bluesky, webhook, youtube } = this;
    return [
      ...facebook.posts.map(({ id, text, at }) => ({ platform: 'facebook' as const, postId: id, text, at })),
      ...mastodon.posts.map(({ id, text, at }) => ({ platform: 'mastodon' as const, postId: id, text, at })),
      ...bluesky.posts.map(({ uri, text, at }) => ({ platform: 'bluesky' as const, postId: uri, text, at })),
      ...webhook.posts.map(({ key, text, at }) => ({ platform: 'webhook' as const, postId: key, text, at })),
      ...youtube.posts.map(({ id, title, at }) => ({ platform: 'youtube' as const, postId: id, text: title, at })),
    ];
  }
}
