import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import {
  FakeYoutubePublishing,
  problem,
  YOUTUBE_CREDENTIALS,
} from '../../../../test/platforms/fake-youtube-publishing.js';
import { content, failureOf, publishingTools, wordsOf } from '../../../../test/platforms/publishing-tools.js';
import type { Content, MediaFile, PublishCommand } from '../../platform.js';
import { youtube } from './youtube.js';

const store = testDatabase();

const KB = 1024;
const FILM = 'https://files.example/film.mp4';
const HOUR_MS = 3_600_000;
const SECRETS = /client-secret|refresh-token-secret|access-token-secret/;

interface Choices {
  size?: number;
  type?: string;
}

async function newYoutube({ size = 1000 * KB, type = 'video/mp4' }: Choices = {}) {
  const api = await FakeYoutubePublishing.startApart();
  onTestFinished(() => api.close());
  const film: MediaFile = { bytes: randomBytes(size), type, name: 'film' };
  const media: Record<string, MediaFile> = { [FILM]: film };
  const tools = publishingTools(store.database, { media, config: api.config });
  const command = (given: Partial<Content> = {}, more: Partial<PublishCommand> = {}): PublishCommand => ({
    content: content({ title: 'How we bake', text: 'Flour, water, salt.', mediaUrls: [FILM], ...given }),
    credentials: YOUTUBE_CREDENTIALS,
    key: '0123456789abcdef0123456789abcdef',
    intendedAt: new Date(),
    progress: undefined,
    ...more,
  });
  const saved: unknown[] = [];
  const prepare = (one: PublishCommand) =>
    youtube.prepare?.(one, tools, async (progress) => void saved.push(progress)) ?? Promise.resolve(undefined);
  const prepared = async (one = command()): Promise<PublishCommand> => ({ ...one, progress: await prepare(one) });
  const publish = (one: PublishCommand) => youtube.publish(one, tools);
  const find = (one: PublishCommand) => youtube.find?.(one, tools) ?? Promise.resolve(undefined);
  const callsFor = (purpose: string) => api.calls.filter((call) => call.endsWith(`(${purpose})`)).length;
  return { api, film, media, tools, command, saved, prepare, prepared, publish, find, callsFor };
}

describe('a video on YouTube', () => {
  it('is there with its title and description when its last piece has come, and not before', async () => {
    const { api, film, command, prepared, publish } = await newYoutube();
    const one = await prepared(command({ link: 'https://bakery.example/' }));
    expect(api.posts).toEqual([]);
    const { postId, url } = await publish(one);
    expect(api.posts).toMatchObject([
      {
        id: postId,
        title: 'How we bake',
        description: 'Flour, water, salt.\n\nhttps://bakery.example/',
        privacyStatus: 'public',
      },
    ]);
    expect(api.posts[0]?.bytes.equals(film.bytes)).toBe(true);
    expect(url).toBe(`https://www.youtube.com/watch?v=${postId}`);
  });

  it.each([1, 256 * KB - 1, 256 * KB, 256 * KB + 1, 512 * KB, 9000 * KB])('has %i bytes', async (size) => {
    const { api, film, prepared, publish, callsFor } = await newYoutube({ size });
    const one = await prepared();
    expect(api.posts).toEqual([]);
    await publish(one);
    expect(api.posts[0]?.bytes.equals(film.bytes)).toBe(true);
    expect(callsFor('complete')).toBe(1);
  });

  it('is refused if it is none', async () => {
    const { command, prepare } = await newYoutube({ type: 'image/png' });
    expect(await failureOf(prepare(command()))).toMatchObject({
      code: 'REFUSED',
      message: 'YouTube takes videos; film is image/png',
    });
  });

  it('is not called published while YouTube keeps it private', async () => {
    const { api, prepared, publish, find } = await newYoutube();
    api.keepsPrivate = true;
    const one = await prepared();
    const failure = await failureOf(publish(one));
    expect(failure).toMatchObject({ code: 'REFUSED' });
    expect(failure.message).toContain('video-0 and keeps it private');
    expect(await failureOf(find(one))).toMatchObject({ code: 'REFUSED' });
  });
});

describe('an upload that was broken off', () => {
  it('goes on where it was', async () => {
    const { api, film, command, saved, prepare, publish, callsFor } = await newYoutube({ size: 20_000 * KB });
    api.plan('drops after', 'piece');
    expect(await failureOf(prepare(command()))).toMatchObject({ code: 'UNREACHABLE' });
    expect(saved).toHaveLength(1);
    const one = command({}, { progress: saved[0] });
    await publish({ ...one, progress: await prepare(one) });
    expect(callsFor('begin')).toBe(1);
    expect(callsFor('piece')).toBe(3);
    expect(api.posts.map(({ bytes }) => bytes.equals(film.bytes))).toEqual([true]);
  });

  it('goes on in the middle of a piece', async () => {
    const { api, film, command, saved, prepare, publish } = await newYoutube();
    api.takesAtMost = 100_001;
    api.plan('drops after', 'piece');
    await failureOf(prepare(command()));
    api.takesAtMost = Number.POSITIVE_INFINITY;
    const one = command({}, { progress: saved[0] });
    await publish({ ...one, progress: await prepare(one) });
    expect(api.posts.map(({ bytes }) => bytes.equals(film.bytes))).toEqual([true]);
  });

  it('starts over if YouTube has forgotten it, or if it is another video', async () => {
    const { api, media, command, prepared, publish, callsFor } = await newYoutube();
    const first = await prepared();
    api.sessions.clear();
    const second = await prepared(first);
    expect(callsFor('begin')).toBe(2);
    media[FILM] = { bytes: randomBytes(1000 * KB), type: 'video/mp4', name: 'film' };
    expect(await failureOf(publish(second))).toMatchObject({ code: 'UNAVAILABLE' });
    const third = await prepared(second);
    expect(callsFor('begin')).toBe(3);
    await publish(await prepared({ ...third, content: command({ title: 'Another title' }).content }));
    expect(callsFor('begin')).toBe(4);
    expect(api.posts).toMatchObject([{ title: 'Another title' }]);
  });

  it('is not finished while YouTube has not received all of it', async () => {
    const { api, prepared, publish, find } = await newYoutube({ size: 1000 });
    api.takesAtMost = 10;
    const one = await prepared();
    expect(await failureOf(publish(one))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await find(one)).toBeUndefined();
    api.takesAtMost = Number.POSITIVE_INFINITY;
    await publish(await prepared(one));
    expect(api.posts).toHaveLength(1);
  });
});

describe('what YouTube will not accept', () => {
  const check = (given: Partial<Content>) =>
    youtube.check(content({ title: 'How we bake', mediaUrls: [FILM], ...given }), YOUTUBE_CREDENTIALS);

  it('has no title, or one that is too long', () => {
    expect(check({ title: 'x'.repeat(100) })).toEqual([]);
    expect(check({ title: 'x'.repeat(103) })).toEqual([
      { path: 'title', message: 'title is 103 characters, 3 more than YouTube takes' },
    ]);
    expect(check({ title: ' ' })).toEqual([{ path: 'title', message: 'YouTube takes no video without a title' }]);
    expect(check({ title: undefined })).toMatchObject([{ path: 'title' }]);
  });

  it('is described in too many bytes, its link included', () => {
    expect(check({ text: 'é'.repeat(2500) })).toEqual([]);
    expect(check({ text: 'é'.repeat(2501) })).toEqual([
      { path: 'text', message: 'text is 5002 bytes, 2 more than YouTube takes' },
    ]);
    expect(check({ text: 'x'.repeat(4990), link: 'https://bakery.example/' })).toMatchObject([{ path: 'text' }]);
  });

  it('has angle brackets', () => {
    expect(check({ title: 'a < b', text: 'b > a' })).toMatchObject([{ path: 'title' }, { path: 'text' }]);
  });

  it('has not exactly one video', () => {
    expect(check({ mediaUrls: [] })).toMatchObject([{ path: 'mediaUrls' }]);
    expect(check({ mediaUrls: [FILM, FILM] })).toMatchObject([{ path: 'mediaUrls' }]);
    expect(check({ mediaUrls: ['https://files.example/a.png'] })).toMatchObject([{ path: 'mediaUrls.0' }]);
  });
});

describe('when YouTube does not answer as it should', () => {
  it('is there once if its last piece is sent again after a lost answer', async () => {
    const { api, prepared, publish } = await newYoutube();
    const one = await prepared();
    api.plan('drops after');
    await failureOf(publish(one));
    const { postId } = await publish(await prepared(one));
    expect(api.posts.map(({ id }) => id)).toEqual([postId]);
  });

  it.each([
    ['begin', problem(400, 'invalidTitle', 'The title is invalid'), 'REFUSED'],
    ['begin', problem(401, 'youtubeSignupRequired', 'Sign up'), 'AUTH_ERROR'],
    ['begin', problem(403, 'forbidden', 'No'), 'AUTH_ERROR'],
    ['begin', problem(403, 'forbiddenPrivacySetting', 'No'), 'REFUSED'],
    ['begin', problem(403, 'rateLimitExceeded', 'Slower'), 'RATE_LIMITED'],
    ['begin', { status: 503, body: 'no JSON' }, 'UNREACHABLE'],
    ['begin', { status: 200 }, 'UNAVAILABLE'],
    ['piece', { status: 500 }, 'UNREACHABLE'],
    ['token', { status: 500 }, 'UNREACHABLE'],
    ['token', { status: 200, body: '{}' }, 'UNAVAILABLE'],
  ] as const)('an upload to which %s is answered with %j has failed with %s', async (purpose, answer, code) => {
    const { api, command, prepare } = await newYoutube();
    api.refuse(answer, purpose);
    expect(await failureOf(prepare(command()))).toMatchObject({ code });
  });

  it('is waited for until midnight in California when the quota is used up', async () => {
    const { api, command, tools } = await newYoutube();
    api.refuse(problem(403, 'quotaExceeded', 'You have exceeded your quota'), 'begin');
    const noon = { ...tools, now: () => new Date('2030-07-01T19:00:00Z') };
    expect(
      await failureOf(youtube.prepare?.(command(), noon, async () => undefined) as Promise<unknown>),
    ).toMatchObject({
      code: 'RATE_LIMITED',
      until: new Date('2030-07-02T07:00:00Z'),
    });
  });

  it('is waited for a day when the channel has uploaded too much', async () => {
    const { api, prepared, publish } = await newYoutube();
    const one = await prepared();
    api.refuse(problem(400, 'uploadLimitExceeded', 'The user has exceeded the number of videos'), 'complete');
    const failure = await failureOf(publish(one));
    expect(failure.code).toBe('RATE_LIMITED');
    expect(failure.until?.getTime()).toBeGreaterThan(Date.now() + 23 * HOUR_MS);
  });
});

describe('looking for a video', () => {
  it('asks its upload, and takes no other for it', async () => {
    const { api, prepared, publish, find, callsFor } = await newYoutube();
    const one = await prepared();
    api.add({ title: 'How we bake', description: 'Flour, water, salt.' });
    expect(await find(one)).toBeUndefined();
    const { postId } = await publish(one);
    expect(await find(one)).toMatchObject({ postId });
    expect(callsFor('list')).toBe(0);
  });

  it('does not look where no upload has begun', async () => {
    const { api, command, find } = await newYoutube();
    expect(await find(command())).toBeUndefined();
    expect(api.calls).toEqual([]);
  });

  it('looks among what the channel has uploaded if its upload is forgotten', async () => {
    const { api, prepared, find } = await newYoutube();
    const one = { ...(await prepared()), intendedAt: new Date(Date.now() - 2 * HOUR_MS) };
    api.sessions.clear();
    const alike = { title: 'How we bake', description: 'Flour, water, salt.' };
    api.add({ ...alike, at: new Date(Date.now() - 3 * HOUR_MS) });
    api.add({ ...alike, title: 'Another' });
    api.add({ ...alike, description: 'Another' });
    for (let at = 0; at < 120; at += 1) api.add({ title: `later ${at}` });
    expect(await find(one)).toBeUndefined();
    const { id } = api.add({ ...alike, at: new Date(Date.now() - 2 * HOUR_MS + 1000) });
    expect(await find(one)).toMatchObject({ postId: id });
  });

  it('does not call a video absent that may be among entries it cannot read', async () => {
    const { api, prepared, find } = await newYoutube();
    const one = { ...(await prepared()), intendedAt: new Date(Date.now() - 2 * HOUR_MS) };
    api.sessions.clear();
    api.oddEntries = [{ snippet: {} }];
    expect(await failureOf(find(one))).toMatchObject({ code: 'UNAVAILABLE' });
    const { id } = api.add({ title: 'How we bake', description: 'Flour, water, salt.' });
    expect(await find(one)).toMatchObject({ postId: id });
  });

  it('does not believe a list in which the video may not be yet', async () => {
    const { api, prepared, find } = await newYoutube();
    const one = await prepared();
    api.sessions.clear();
    const failure = await failureOf(find(one));
    expect(failure.code).toBe('UNAVAILABLE');
    expect(failure.until).toEqual(new Date((one.intendedAt?.getTime() ?? 0) + HOUR_MS / 4));
  });
});

describe("Google's credentials", () => {
  it('are those of a channel', async () => {
    const { api, tools } = await newYoutube();
    expect(await youtube.whose(YOUTUBE_CREDENTIALS, tools)).toEqual({ id: 'UC-channel', name: 'Bakery films' });
    api.hasChannel = false;
    expect(await failureOf(youtube.whose(YOUTUBE_CREDENTIALS, tools))).toMatchObject({ code: 'AUTH_ERROR' });
  });

  it.each([{ refreshToken: '1//bad-refresh-token-secret' }, { clientSecret: 'GOCSPX-bad-client-secret' }])(
    'do not work with %j, which is not repeated',
    async (bad) => {
      const { tools } = await newYoutube();
      const failure = await failureOf(youtube.whose({ ...YOUTUBE_CREDENTIALS, ...bad }, tools));
      expect(failure.code).toBe('AUTH_ERROR');
      expect(failure.message).toMatch(/invalid_(grant|client)/);
      expect(wordsOf(failure)).not.toMatch(SECRETS);
    },
  );

  it('are renewed before they run out, and whenever they were refused', async () => {
    const { tools, callsFor } = await newYoutube();
    const renew = (credentials: unknown, reason: 'before use' | 'refused', now = new Date()) =>
      youtube.refresh?.(credentials, reason, { ...tools, now: () => now });
    const first = await renew(YOUTUBE_CREDENTIALS, 'before use');
    expect(first).toMatchObject({ ...YOUTUBE_CREDENTIALS, access: { token: expect.any(String) } });
    expect(youtube.credentials.parse(first)).toEqual(first);
    expect(await renew(first, 'before use')).toBeUndefined();
    expect(await renew(first, 'before use', new Date(Date.now() + HOUR_MS - 60_000))).not.toEqual(first);
    expect(await renew(first, 'refused')).not.toEqual(first);
    await youtube.whose(first, tools);
    expect(callsFor('token')).toBe(3);
  });

  it('that ran out in the middle are refused, and the upload goes on with new ones', async () => {
    const { api, tools, command, prepared, publish, callsFor } = await newYoutube();
    const credentials = await youtube.refresh?.(YOUTUBE_CREDENTIALS, 'before use', tools);
    const one = await prepared(command({}, { credentials }));
    api.tokens.clear();
    const failure = await failureOf(publish(one));
    expect(failure).toMatchObject({ code: 'AUTH_ERROR' });
    expect(wordsOf(failure)).not.toMatch(SECRETS);
    const renewed = await youtube.refresh?.(credentials, 'refused', tools);
    await publish({ ...one, credentials: renewed });
    expect(api.posts).toHaveLength(1);
    expect(callsFor('begin')).toBe(1);
  });
});
