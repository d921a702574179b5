import type { Platform } from './platform.js';
import { bluesky } from './platforms/bluesky/bluesky.js';
import { facebook } from './platforms/facebook/facebook.js';
import { instagram } from './platforms/instagram/instagram.js';
import { linkedin } from './platforms/linkedin/linkedin.js';
import { mastodon } from './platforms/mastodon/mastodon.js';
import { webhook } from './platforms/webhook/webhook.js';
import { youtube } from './platforms/youtube/youtube.js';

export const platforms: readonly Platform[] = [facebook, instagram, linkedin, youtube, mastodon, bluesky, webhook];

export function findPlatform(name: string): Platform | undefined {
  return platforms.find((platform) => platform.name === name);
}
