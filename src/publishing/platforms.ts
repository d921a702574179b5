import type { Platform } from './platform.js';
import { bluesky } from './platforms/bluesky.js';
import { facebook } from './platforms/facebook.js';
import { instagram } from './platforms/instagram.js';
import { linkedin } from './platforms/linkedin.js';
import { mastodon } from './platforms/mastodon.js';
import { webhook } from './platforms/webhook.js';
import { youtube } from './platforms/youtube.js';

export const platforms: readonly Platform[] = [facebook, instagram, linkedin, youtube, mastodon, bluesky, webhook];

export function findPlatform(name: string): Platform | undefined {
  return platforms.find((platform) => platform.name === name);
}
