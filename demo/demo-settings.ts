import { CRUNCHBASE_KEY } from './search/company-search.js';
import type { World } from './world.js';

/** Settings that make Millrace use the made-up sites and platforms only. */
export function demoSettings({ platforms, search }: World): Record<string, string> {
  return {
    MILLRACE_REMOTE_TYPES: 'instagram',
    MILLRACE_ALLOW_NETWORKS: '127.0.0.1,::1',
    // A source that somebody reads is fetched again after this time, so that posts arrive while the user watches.
    MILLRACE_CACHE_TTL: '4s',
    MILLRACE_MIN_INTERVAL: '3s',
    MILLRACE_KEEP_POSTS: '1000',
    MILLRACE_REQUESTS_PER_MINUTE: '6000',
    MILLRACE_SHUTDOWN: '3s',
    // Low enough to reach a limit, and to see it end, within a minute.
    MILLRACE_PLATFORM_LIMITS: 'facebook=4/1m,linkedin=2/1m,mastodon=5/1m,webhook=5/1m',
    MILLRACE_USER_LIMITS: 'facebook=none,linkedin=none,mastodon=none,webhook=none',
    MILLRACE_PUBLISH_CALL: '5s',
    MILLRACE_FACEBOOK_URL: platforms.facebook.url,
    MILLRACE_INSTAGRAM_URL: platforms.facebook.url,
    MILLRACE_LINKEDIN_URL: platforms.linkedin.url,
    MILLRACE_MASTODON_URL: platforms.mastodon.url,
    MILLRACE_OVERPASS_URL: search.overpassUrl,
    MILLRACE_SEARCH_PROVIDER: 'searxng',
    MILLRACE_SEARCH_URL: search.searchUrl,
    MILLRACE_CRUNCHBASE_URL: search.crunchbaseUrl,
    MILLRACE_CRUNCHBASE_KEY: CRUNCHBASE_KEY,
  };
}
