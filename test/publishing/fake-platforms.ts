import { onTestFinished } from 'vitest';
import type { Config } from '../../src/platform/config.js';
import { startSite } from '../harness/site.js';
import { ALICE, BLUESKY_PASSWORD, FakeBlueskyPublishing } from '../platforms/fake-bluesky-publishing.js';
import { FACEBOOK_PAGE, FACEBOOK_TOKEN, FakeFacebookPublishing } from '../platforms/fake-facebook-publishing.js';
import { FakeInstagramPublishing, INSTAGRAM_TOKEN, INSTAGRAM_USER } from '../platforms/fake-instagram-publishing.js';
import { FakeLinkedinPublishing, LINKEDIN_AUTHOR, LINKEDIN_TOKEN } from '../platforms/fake-linkedin-publishing.js';
import { FakeMastodonPublishing, MASTODON_TOKEN } from '../platforms/fake-mastodon-publishing.js';
import { FakeWebhookPublishing, WEBHOOK_SECRET } from '../platforms/fake-webhook-publishing.js';
import { FakeYoutubePublishing, YOUTUBE_CREDENTIALS } from '../platforms/fake-youtube-publishing.js';

interface Fakes {
  facebook: FakeFacebookPublishing;
  instagram: FakeInstagramPublishing;
  linkedin: FakeLinkedinPublishing;
  youtube: FakeYoutubePublishing;
  mastodon: FakeMastodonPublishing;
  bluesky: FakeBlueskyPublishing;
  webhook: FakeWebhookPublishing;
}
export type Place = keyof Fakes;
export const PLACES: Place[] = ['facebook', 'instagram', 'linkedin', 'youtube', 'mastodon', 'bluesky', 'webhook'];

const STARTS: { [K in Place]: () => Promise<Fakes[K]> } = {
  facebook: () => FakeFacebookPublishing.start(),
  instagram: () => FakeInstagramPublishing.start(),
  linkedin: () => FakeLinkedinPublishing.start(),
  youtube: () => FakeYoutubePublishing.start(),
  mastodon: () => FakeMastodonPublishing.start(),
  bluesky: () => FakeBlueskyPublishing.start(),
  webhook: () => FakeWebhookPublishing.start(),
};

const CONFIGS: { [K in Place]: (fake: Fakes[K]) => Partial<Config> } = {
  facebook: ({ url }) => ({ facebookUrl: url }),
  instagram: ({ url }) => ({ instagramUrl: url }),
  linkedin: ({ url }) => ({ linkedinUrl: url }),
  youtube: ({ config }) => config,
  mastodon: () => ({}),
  bluesky: () => ({}),
  webhook: () => ({}),
};

const CREDENTIALS: Record<Place, (url: string) => object> = {
  facebook: () => ({ pageId: FACEBOOK_PAGE, accessToken: FACEBOOK_TOKEN }),
  instagram: () => ({ userId: INSTAGRAM_USER, accessToken: INSTAGRAM_TOKEN }),
  linkedin: () => ({ author: LINKEDIN_AUTHOR, accessToken: LINKEDIN_TOKEN }),
  youtube: () => YOUTUBE_CREDENTIALS,
  mastodon: (url) => ({ baseUrl: url, accessToken: MASTODON_TOKEN }),
  bluesky: (url) => ({ service: url, identifier: ALICE.handle, password: BLUESKY_PASSWORD }),
  webhook: (url) => ({ url: `${url}hook`, secret: WEBHOOK_SECRET }),
};

/** A fake platform with the settings that Millrace needs to publish there. */
export async function startPlace<K extends Place>(platform: K) {
  const fake = await STARTS[platform]();
  onTestFinished(() => fake.close());
  const config = CONFIGS[platform](fake);
  return { fake, config, given: { platform, credentials: CREDENTIALS[platform](fake.url) } };
}

const FILES: Record<string, { type: string; bytes: Buffer }> = {
  '/photo.jpg': { type: 'image/jpeg', bytes: Buffer.from('ffd8ffe000104a46494600010100', 'hex') },
  '/film.mp4': {
    type: 'video/mp4',
    bytes: Buffer.concat([Buffer.from('000000206674797069736f6d', 'hex'), Buffer.alloc(500)]),
  },
};

/** Media of publications, on their own site. */
export async function startFiles() {
  const site = await startSite(({ url = '', method }, response) => {
    const file = FILES[url.split('?')[0] ?? ''];
    if (!file) return void response.writeHead(404).end();
    const headers = { 'content-type': file.type, 'content-length': file.bytes.length };
    response.writeHead(200, headers).end(method === 'HEAD' ? undefined : file.bytes);
  });
  const at = (path: string) => site.url(path, '127.0.0.1');
  return { photo: at('/photo.jpg'), film: at('/film.mp4'), missing: at('/missing.jpg') };
}

export type Files = Awaited<ReturnType<typeof startFiles>>;

/** The smallest content that each platform accepts. */
export function contentFor(platform: Place, text: string, { photo, film }: Files): object {
  if (platform === 'instagram') return { text, mediaUrls: [photo] };
  return platform === 'youtube' ? { text, title: text, mediaUrls: [film] } : { text };
}

/** The posts that readers see there, oldest first. */
export const textsOf = ({ posts }: { posts: ({ text: string } | { description: string })[] }): string[] =>
  posts.map((post) => ('text' in post ? post.text : post.description));
