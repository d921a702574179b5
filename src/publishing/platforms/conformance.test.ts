import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { ALICE, BLUESKY_PASSWORD, FakeBlueskyPublishing } from '../../../test/platforms/fake-bluesky-publishing.js';
import {
  FACEBOOK_PAGE,
  FACEBOOK_TOKEN,
  FakeFacebookPublishing,
} from '../../../test/platforms/fake-facebook-publishing.js';
import {
  FakeInstagramPublishing,
  INSTAGRAM_TOKEN,
  INSTAGRAM_USER,
} from '../../../test/platforms/fake-instagram-publishing.js';
import {
  FakeLinkedinPublishing,
  LINKEDIN_AUTHOR,
  LINKEDIN_TOKEN,
} from '../../../test/platforms/fake-linkedin-publishing.js';
import { FakeMastodonPublishing, MASTODON_TOKEN } from '../../../test/platforms/fake-mastodon-publishing.js';
import { FakeWebhookPublishing, WEBHOOK_SECRET } from '../../../test/platforms/fake-webhook-publishing.js';
import { FakeYoutubePublishing, YOUTUBE_CREDENTIALS } from '../../../test/platforms/fake-youtube-publishing.js';
import {
  type PlatformTrial,
  type PublishingFake,
  platformConformance,
} from '../../../test/publishing/platform-conformance.js';
import type { Platform } from '../platform.js';
import { platforms } from '../platforms.js';
import { bluesky } from './bluesky/bluesky.js';
import { facebook } from './facebook/facebook.js';
import { instagram } from './instagram/instagram.js';
import { linkedin } from './linkedin/linkedin.js';
import { mastodon } from './mastodon/mastodon.js';
import { webhook } from './webhook/webhook.js';
import { youtube } from './youtube/youtube.js';

const store = testDatabase();

const PHOTO = 'https://files.example/photo.jpg';
const FILM = 'https://files.example/film.mp4';
const media = {
  [PHOTO]: { bytes: Buffer.from('photo'), type: 'image/jpeg', name: 'photo.jpg' },
  [FILM]: { bytes: randomBytes(1_000 * 1_024), type: 'video/mp4', name: 'film.mp4' },
};
const text = 'Fresh bread #bakery';
const covered: string[] = [];

function conforms<Fake extends PublishingFake>(platform: Platform, trial: PlatformTrial<Fake>): void {
  covered.push(platform.name);
  describe(platform.label, () => platformConformance(platform, trial, store));
}

conforms<FakeFacebookPublishing>(facebook, {
  start: () => FakeFacebookPublishing.startApart(),
  config: ({ url }) => ({ facebookUrl: url }),
  credentials: () => ({ pageId: FACEBOOK_PAGE, accessToken: FACEBOOK_TOKEN }),
  wrongCredentials: () => [
    { pageId: FACEBOOK_PAGE, accessToken: 'EAAG-another-secret' },
    { pageId: '42', accessToken: FACEBOOK_TOKEN },
  ],
  malformedCredentials: [
    { pageId: '../me', accessToken: 'x' },
    { pageId: '', accessToken: 'x' },
    { pageId: FACEBOOK_PAGE, accessToken: 'a\nb' },
    { pageId: FACEBOOK_PAGE, accessToken: '' },
  ],
  content: { text },
  contentInSteps: { text, mediaUrls: [PHOTO] },
  complaint: (message) => ({ error: { message } }),
  addTwin: (fake, at) => void fake.add({ text, at }),
});

conforms<FakeInstagramPublishing>(instagram, {
  start: () => FakeInstagramPublishing.startApart(),
  config: ({ url }) => ({ instagramUrl: url }),
  credentials: () => ({ userId: INSTAGRAM_USER, accessToken: INSTAGRAM_TOKEN }),
  wrongCredentials: () => [
    { userId: INSTAGRAM_USER, accessToken: 'IGAA-another-secret' },
    { userId: '42', accessToken: INSTAGRAM_TOKEN },
  ],
  malformedCredentials: [{ userId: '../me', accessToken: 'x' }, { userId: INSTAGRAM_USER }],
  content: { text, mediaUrls: [PHOTO] },
  contentInSteps: { text, mediaUrls: [PHOTO, FILM] },
  media,
  complaint: (message) => ({ error: { message } }),
  addTwin: (fake, at) => void fake.add({ text, at }),
});

conforms<FakeLinkedinPublishing>(linkedin, {
  start: () => FakeLinkedinPublishing.startApart(),
  config: ({ url }) => ({ linkedinUrl: url }),
  credentials: () => ({ author: LINKEDIN_AUTHOR, accessToken: LINKEDIN_TOKEN }),
  wrongCredentials: () => [
    { author: 'urn:li:person:other', accessToken: LINKEDIN_TOKEN },
    { author: LINKEDIN_AUTHOR, accessToken: 'another-secret-token' },
  ],
  malformedCredentials: [
    { author: 'acme', accessToken: 'abc' },
    { author: 'urn:li:person:abc/../x', accessToken: 'abc' },
    { author: LINKEDIN_AUTHOR, accessToken: 'a\nb' },
    { author: LINKEDIN_AUTHOR },
  ],
  content: { text },
  contentInSteps: { text, mediaUrls: [PHOTO] },
  answeredByStatus: ['upload'],
  media,
  complaint: (message) => ({ message }),
  addTwin: (fake, at) => void fake.add({ text, at }),
});

conforms<FakeYoutubePublishing>(youtube, {
  start: () => FakeYoutubePublishing.startApart(),
  config: ({ config }) => config,
  credentials: () => YOUTUBE_CREDENTIALS,
  wrongCredentials: () => [
    { ...YOUTUBE_CREDENTIALS, refreshToken: '1//bad-refresh-token-secret' },
    { ...YOUTUBE_CREDENTIALS, clientSecret: 'GOCSPX-bad-client-secret' },
  ],
  malformedCredentials: [{ ...YOUTUBE_CREDENTIALS, refreshToken: 'a\nb' }, { clientId: 'x' }],
  content: { text, title: 'How we bake', mediaUrls: [FILM] },
  contentInSteps: { text, title: 'How we bake', mediaUrls: [FILM] },
  media,
  complaint: (message) => ({ error: { message } }),
  addTwin: (fake, at) => void fake.add({ title: 'How we bake', description: text, at }),
});

conforms<FakeMastodonPublishing>(mastodon, {
  start: () => FakeMastodonPublishing.startApart(),
  credentials: ({ url }) => ({ baseUrl: url, accessToken: MASTODON_TOKEN }),
  wrongCredentials: ({ url }) => [{ baseUrl: url, accessToken: 'wrong-token' }],
  malformedCredentials: [
    { baseUrl: 'ftp://mastodon.example', accessToken: 'x' },
    { baseUrl: 'mastodon.example', accessToken: 'x' },
    { baseUrl: 'https://mastodon.example', accessToken: 'two words' },
    { baseUrl: 'https://mastodon.example', accessToken: 'line\r\nX-Evil: 1' },
    { baseUrl: 'https://mastodon.example' },
  ],
  content: { text },
  contentInSteps: { text, mediaUrls: [PHOTO] },
  media,
  complaint: (error) => ({ error }),
  addTwin: (fake, at) => void fake.add({ text, at }),
});

conforms<FakeBlueskyPublishing>(bluesky, {
  start: () => FakeBlueskyPublishing.startApart(),
  credentials: ({ url }) => ({ service: url, identifier: `@${ALICE.handle}`, password: BLUESKY_PASSWORD }),
  wrongCredentials: ({ url }) => [{ service: url, identifier: ALICE.handle, password: 'wrong "one"' }],
  malformedCredentials: [{ identifier: 'alice.example', password: 'x', service: 'file:///etc' }],
  content: { text },
  contentInSteps: { text: 'Hello @bob.example', mediaUrls: [PHOTO] },
  media,
  complaint: (message) => ({ error: 'Odd', message }),
  findsByKey: true,
});

conforms<FakeWebhookPublishing>(webhook, {
  start: () => FakeWebhookPublishing.startApart(),
  credentials: ({ url }) => ({ url: `${url}hooks/T0secret?token=t%201`, secret: WEBHOOK_SECRET }),
  wrongCredentials: ({ url }) => [{ url, secret: 'another-secret' }],
  malformedCredentials: [
    { url: 'ftp://hooks.example/', secret: 'x' },
    { url: 'https://hooks.example/', secret: '' },
    { url: 'https://hooks.example/' },
  ],
  content: { text },
  complaint: (message) => ({ message }),
  ignoresBody: true,
});

it('covers every platform', () => {
  expect(covered).toEqual(platforms.map(({ name }) => name));
});
