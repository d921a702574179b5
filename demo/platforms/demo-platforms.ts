import { SeededRandom } from '../seeded-random.js';
import { FakeFacebookPublishing } from './fake-facebook-publishing.js';
import { FakeLinkedinPublishing } from './fake-linkedin-publishing.js';
import { FakeMastodonPublishing } from './fake-mastodon-publishing.js';
import { FakeWebhookPublishing } from './fake-webhook-publishing.js';
import type { Answer, Asked, FaultyApi } from './faulty-api.js';
import { wallPage } from './wall.js';

const asksForWall = ({ method, headers }: Asked) => method === 'GET' && !headers.authorization;

class DemoFacebook extends FakeFacebookPublishing {
  protected override answer(asked: Asked): Answer {
    if (!asksForWall(asked)) return super.answer(asked);
    return wallPage(
      'Facebook',
      this.posts.map((post) => ({ ...post, by: `Page ${post.pageId}` })),
    );
  }
}

class DemoLinkedin extends FakeLinkedinPublishing {
  protected override answer(asked: Asked): Answer {
    if (!asksForWall(asked)) return super.answer(asked);
    return wallPage(
      'LinkedIn',
      this.posts.map((post) => ({ ...post, by: this.author })),
    );
  }
}

class DemoMastodon extends FakeMastodonPublishing {
  protected override answer(asked: Asked): Answer {
    if (!asksForWall(asked)) return super.answer(asked);
    const [, username, id] = /^\/@(\w+)(?:\/(\d+))?$/.exec(asked.url.pathname) ?? [];
    const isMeant = (post: { username: string; id: string }) =>
      (!username || post.username === username) && (!id || post.id === id);
    return wallPage(
      'Mastodon',
      this.posts.filter(isMeant).map((post) => ({ ...post, by: `@${post.username}` })),
    );
  }
}

/** The newsletter refuses the first attempt of a post with this in its text. */
export const PROOF = 'Proof sheet';

class DemoWebhook extends FakeWebhookPublishing {
  private readonly refused = new Set<string>();

  protected override purposeOf(asked: Asked): string {
    return asked.method === 'GET' ? 'wall' : super.purposeOf(asked);
  }

  protected override answer(asked: Asked): Answer {
    if (asked.method === 'GET') {
      const posts = this.posts.map(({ key, ...post }) => ({ ...post, id: key, by: 'Newsletter' }));
      return wallPage('Newsletter', posts);
    }
    const key = String(asked.headers['idempotency-key'] ?? '');
    if (asked.body.includes(PROOF) && !this.refused.has(key)) {
      this.refused.add(key);
      return { status: 400, body: { message: 'the editor has not released this proof yet' } };
    }
    this.receipt = { id: key, url: `${this.url}#${key}` };
    return super.answer(asked);
  }
}

export const FACEBOOK = { pageId: '104500011122233', accessToken: 'demo-facebook-page' };
export const LINKEDIN = { author: 'urn:li:organization:5583111', accessToken: 'demo-linkedin-organisation' };
export const MASTODON = {
  ferries: 'demo-mastodon-ferries',
  museum: 'demo-mastodon-museum',
  lapsed: 'demo-mastodon-lapsed',
};
export const WEBHOOK_SECRET = 'demo-webhook-secret';

export interface DemoPlatforms {
  facebook: FakeFacebookPublishing;
  linkedin: FakeLinkedinPublishing;
  mastodon: FakeMastodonPublishing;
  webhook: FakeWebhookPublishing;
  stop(): Promise<void>;
}

/** Starts four platforms that keep posts in memory and fail now and then. */
export async function startDemoPlatforms(seed: number): Promise<DemoPlatforms> {
  const facebook = faulty(new DemoFacebook(), seed, { 'drops after': 0.06, 'fails before': 0.04, 'too many': 0.03 });
  // The response to the first post is lost, so that its reconciliation can be seen within a minute.
  facebook.plan('drops after');
  facebook.tokens.set(FACEBOOK.accessToken, FACEBOOK.pageId);
  const linkedin = faulty(new DemoLinkedin(), seed, { 'drops after': 0.05 });
  linkedin.tokens = [LINKEDIN.accessToken];
  const mastodon = faulty(new DemoMastodon(), seed, { 'fails after': 0.08, 'drops before': 0.05 });
  mastodon.most = 100_000;
  mastodon.tokens.clear();
  for (const [username, token] of Object.entries(MASTODON)) mastodon.tokens.set(token, username);
  const webhook = faulty(new DemoWebhook(), seed, { 'fails after': 0.03 });
  webhook.secret = WEBHOOK_SECRET;
  const all = { facebook, linkedin, mastodon, webhook };
  await Promise.all(Object.entries(all).map(([name, api]) => api.listen(`${name}.localhost`)));
  return { ...all, stop: async () => void (await Promise.all(Object.values(all).map((api) => api.close()))) };
}

function faulty<Api extends FaultyApi>(api: Api, seed: number, chances: FaultyApi['chances']): Api {
  const random = new SeededRandom(seed, api.constructor.name);
  api.random = () => random.next();
  api.retryAfterSeconds = 20;
  Object.assign(api.chances, chances);
  return api;
}
