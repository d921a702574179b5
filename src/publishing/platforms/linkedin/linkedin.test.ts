import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import {
  FakeLinkedinPublishing,
  LINKEDIN_AUTHOR,
  LINKEDIN_TOKEN,
} from '../../../../test/platforms/fake-linkedin-publishing.js';
import { content, failureOf, publishingTools, wordsOf } from '../../../../test/platforms/publishing-tools.js';
import type { Content, PublishCommand } from '../../platform.js';
import { linkedin } from './linkedin.js';

const store = testDatabase();

const PNG = { bytes: Buffer.from('a picture'), type: 'image/png', name: 'a.png' };
const MEDIA = {
  'https://files.example/a.png': PNG,
  'https://files.example/b.jpg': { ...PNG, type: 'image/jpeg', name: 'b.jpg' },
  'https://files.example/film': { ...PNG, type: 'video/mp4', name: 'film' },
};
const [A, B, FILM] = Object.keys(MEDIA) as [string, string, string];
const HOUR_MS = 3_600_000;

async function newLinkedin() {
  const api = await FakeLinkedinPublishing.startApart();
  onTestFinished(() => api.close());
  const choices = { media: MEDIA, config: { linkedinUrl: api.url } };
  const tools = publishingTools(store.database, choices);
  const command = (given: Partial<Content>, more: Partial<PublishCommand> = {}): PublishCommand => ({
    content: content(given),
    credentials: { author: LINKEDIN_AUTHOR, accessToken: LINKEDIN_TOKEN },
    key: '0123456789abcdef0123456789abcdef',
    intendedAt: new Date(),
    progress: undefined,
    ...more,
  });
  const saved: unknown[] = [];
  const prepare = (one: PublishCommand) =>
    linkedin.prepare?.(one, tools, async (progress) => void saved.push(progress)) ?? Promise.resolve(undefined);
  const publish = async (one: PublishCommand) => linkedin.publish({ ...one, progress: await prepare(one) }, tools);
  const find = (one: PublishCommand) => linkedin.find?.(one, tools) ?? Promise.resolve(undefined);
  return { api, tools, command, saved, prepare, publish, find };
}

describe('a post on LinkedIn', () => {
  it('shows its text as it was written', async () => {
    const { api, command, publish } = await newLinkedin();
    const text = 'Bread (fresh), 50 % off *today* #bakery\n@home [x] {y} <z> | a_b ~ \\ C# 🎉';
    const { postId, url } = await publish(command({ text }));
    expect(api.posts).toMatchObject([{ id: postId, text, images: [], link: undefined }]);
    expect(url).toBe(`https://www.linkedin.com/feed/update/${postId}/`);
  });

  it('has its link as an article, with its title or the name of the site', async () => {
    const { api, command, publish } = await newLinkedin();
    const link = 'https://bakery.example/news?a=1';
    await publish(command({ text: 'one', link, title: 'News' }));
    await publish(command({ text: 'two', link }));
    expect(api.posts).toMatchObject([
      { text: 'one', link, title: 'News' },
      { text: 'two', link, title: 'bakery.example' },
    ]);
  });

  it('has one picture, or several in their order, and then its link in the text', async () => {
    const { api, command, publish } = await newLinkedin();
    await publish(command({ text: 'one', mediaUrls: [A] }));
    await publish(command({ text: 'two', mediaUrls: [B, A], link: 'https://bakery.example/' }));
    const [first, second, third] = api.images.keys();
    expect(api.posts).toMatchObject([
      { text: 'one', images: [first] },
      { text: 'two\n\nhttps://bakery.example/', images: [second, third] },
    ]);
    expect([...api.images.values()]).toEqual([PNG.bytes, PNG.bytes, PNG.bytes]);
  });

  it('waits for its pictures to be ready', async () => {
    const { api, command, publish } = await newLinkedin();
    api.processing = 2;
    await publish(command({ text: 'one', mediaUrls: [A] }));
    expect(api.calls.filter((call) => call.endsWith('(image)'))).toHaveLength(3);
  });

  it('is refused with a picture that LinkedIn cannot read, or with what is none', async () => {
    const { api, command, prepare } = await newLinkedin();
    api.imageStatus = 'PROCESSING_FAILED';
    expect(await failureOf(prepare(command({ mediaUrls: [A] })))).toMatchObject({ code: 'REFUSED' });
    expect(await failureOf(prepare(command({ mediaUrls: [FILM] })))).toMatchObject({
      code: 'REFUSED',
      message: 'LinkedIn takes JPEG, PNG and GIF; film is video/mp4',
    });
  });

  it('uploads after a crash only what was not uploaded before it', async () => {
    const { api, command, prepare, saved } = await newLinkedin();
    api.plan('drops before', 'upload');
    const one = command({ text: 'two', mediaUrls: [A, B] });
    expect(await failureOf(prepare(one))).toMatchObject({ code: 'UNREACHABLE' });
    expect(saved).toEqual([]);
    await prepare(one);
    expect(saved).toHaveLength(2);
    const progress = await prepare({ ...one, progress: saved[0] });
    expect(progress).toMatchObject({ images: [(saved[0] as { images: unknown[] }).images[0], { url: B }] });
    expect(api.calls.filter((call) => call.endsWith('(upload)'))).toHaveLength(4);
    expect(api.posts).toEqual([]);
  });
});

describe('what LinkedIn will not accept', () => {
  const check = (given: Partial<Content>) =>
    linkedin.check(content(given), { author: LINKEDIN_AUTHOR, accessToken: LINKEDIN_TOKEN });

  it('counts a link only where it becomes part of the text', () => {
    const link = 'https://bakery.example/';
    expect(check({ text: 'x'.repeat(3000), link })).toEqual([]);
    expect(check({ text: 'x'.repeat(3000), link, mediaUrls: [A] })).toEqual([
      { path: 'text', message: 'text and link are 3025 characters, 25 more than LinkedIn takes' },
    ]);
  });

  it('is empty, has too many pictures, or a film', () => {
    expect(check({ text: ' ' })).toMatchObject([{ path: 'text' }]);
    expect(check({ mediaUrls: [A] })).toEqual([]);
    expect(check({ mediaUrls: Array.from({ length: 22 }, () => A) })).toEqual([
      { path: 'mediaUrls', message: '22 pictures are 2 more than LinkedIn takes' },
    ]);
    expect(check({ mediaUrls: [A, 'https://files.example/b.mp4'] })).toMatchObject([{ path: 'mediaUrls.1' }]);
  });
});

describe('when LinkedIn does not answer as it should', () => {
  it('is waited for as long as it says', async () => {
    const { api, command, publish } = await newLinkedin();
    api.retryAfterSeconds = 7200;
    api.plan('too many');
    const { until } = await failureOf(publish(command({ text: 'one' })));
    expect(until?.getTime()).toBeGreaterThan(Date.now() + 7_000_000);
  });

  it("is waited for until midnight in UTC when the day's share is used up", async () => {
    const { api, command, tools } = await newLinkedin();
    const message = 'Resource level throttle APPLICATION DAY limit for calls to this resource is reached.';
    api.refuse({ status: 429, body: { serviceErrorCode: 101, message, status: 429 } });
    const late = { ...tools, now: () => new Date('2030-12-31T22:00:00Z') };
    expect(await failureOf(linkedin.publish(command({ text: 'one' }), late))).toMatchObject({
      code: 'RATE_LIMITED',
      until: new Date('2031-01-01T00:00:00Z'),
    });
  });

  it.each([
    [426, 'REFUSED'],
    [201, 'UNCERTAIN'],
  ])('%i without more means %s', async (status, code) => {
    const { api, command, publish } = await newLinkedin();
    api.refuse({ status, body: { message: 'because' } });
    expect(await failureOf(publish(command({ text: 'one' })))).toMatchObject({ code });
  });
});

describe('looking for a post', () => {
  it('finds one with pictures by them, whatever else looks alike', async () => {
    const { api, command, prepare, find, tools } = await newLinkedin();
    const one = command({ text: 'same', mediaUrls: [A, B] });
    const progress = await prepare(one);
    api.add({ text: 'same', images: ['urn:li:image:x', 'urn:li:image:y'] });
    expect(await find({ ...one, progress })).toBeUndefined();
    const { postId } = await linkedin.publish({ ...one, progress }, tools);
    api.add({ text: 'same', images: ['urn:li:image:z', 'urn:li:image:y'] });
    expect(await find({ ...one, progress })).toMatchObject({ postId });
  });

  it('is not fooled by the same words an hour before, even if they were changed since, nor by others', async () => {
    const { api, command, find } = await newLinkedin();
    api.add({ text: 'same', at: new Date(Date.now() - HOUR_MS), modifiedAt: new Date() });
    api.add({ text: 'other' });
    api.add({ text: 'same', link: 'https://bakery.example/' });
    api.add({ text: 'same', images: ['urn:li:image:x'] });
    expect(await find(command({ text: 'same' }))).toBeUndefined();
    expect(await find(command({ text: 'same', link: 'https://bakery.example/other' }))).toBeUndefined();
  });

  it('does not call a post absent that may be among entries it cannot read', async () => {
    const { api, command, find } = await newLinkedin();
    api.oddEntries = [{}];
    expect(await failureOf(find(command({ text: 'wanted' })))).toMatchObject({ code: 'UNAVAILABLE' });
    const { id } = api.add({ text: 'wanted' });
    expect(await find(command({ text: 'wanted' }))).toMatchObject({ postId: id });
  });

  it('takes a short address of LinkedIn for the long one', async () => {
    const { api, command, find } = await newLinkedin();
    const { id } = api.add({ text: 'look: https://lnkd.in/abc at this' });
    expect(await find(command({ text: 'look: https://bakery.example/a/long/way at this' }))).toMatchObject({
      postId: id,
    });
    expect(await find(command({ text: 'see: https://bakery.example/a/long/way at this' }))).toBeUndefined();
  });

  it('reads as many pages as there are since then', async () => {
    const { api, command, find } = await newLinkedin();
    const { id } = api.add({ text: 'wanted' });
    for (let at = 0; at < 250; at += 1) api.add({ text: `later ${at}`, at: new Date(Date.now() + at + 1) });
    for (let at = 0; at < 250; at += 1) api.add({ text: `old ${at}`, at: new Date(Date.now() - HOUR_MS - at) });
    expect(await find(command({ text: 'wanted' }))).toMatchObject({ postId: id });
    expect(api.calls.filter((call) => call.endsWith('(list)'))).toHaveLength(4);
  });

  it('knows nothing if the token may not read, and does not look if nothing was sent', async () => {
    const { api, command, find } = await newLinkedin();
    api.mayRead = false;
    expect(await failureOf(find(command({ text: 'one' })))).toMatchObject({ code: 'UNCERTAIN' });
    expect(await find(command({ text: 'one' }, { intendedAt: undefined }))).toBeUndefined();
  });
});

describe('when LinkedIn says that a post is there already', () => {
  it('is ours if an earlier try came through', async () => {
    const { api, command, publish } = await newLinkedin();
    api.plan('drops after');
    const one = command({ text: 'one' });
    await failureOf(publish(one));
    expect((await publish(one)).postId).toBe(api.posts[0]?.id);
    expect(api.posts).toHaveLength(1);
  });

  it('is refused if that one is older than ours', async () => {
    const { api, command, publish } = await newLinkedin();
    const { id } = api.add({ text: 'one', at: new Date(Date.now() - HOUR_MS) });
    expect(await failureOf(publish(command({ text: 'one' })))).toMatchObject({
      code: 'REFUSED',
      message: `LinkedIn has a post with this content already: ${id}`,
    });
    const first = command({ text: 'one' }, { intendedAt: undefined });
    expect(await failureOf(publish(first))).toMatchObject({ code: 'REFUSED' });
  });

  it('is not believed if that one is not there', async () => {
    const { api, command, publish } = await newLinkedin();
    const message = `Content is a duplicate of urn:li:share:${BigInt(Date.now()) << 22n}`;
    api.refuse({ status: 422, body: { message, errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST' }] } } });
    expect(await failureOf(publish(command({ text: 'one' })))).toMatchObject({ code: 'REFUSED' });
  });

  it('is open if the token may not look, or if it does not say which', async () => {
    const { api, command, publish } = await newLinkedin();
    api.mayRead = false;
    api.add({ text: 'one' });
    expect(await failureOf(publish(command({ text: 'one' })))).toMatchObject({ code: 'UNCERTAIN' });
    api.refuse({ status: 422, body: { errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST' }] } } });
    expect(await failureOf(publish(command({ text: 'two' })))).toMatchObject({ code: 'UNCERTAIN' });
  });
});

describe("LinkedIn's credentials", () => {
  const whose = async (given: { author?: string; accessToken?: string; mayRead?: boolean } = {}) => {
    const { api, tools } = await newLinkedin();
    api.mayRead = given.mayRead ?? true;
    const { author = LINKEDIN_AUTHOR, accessToken = LINKEDIN_TOKEN } = given;
    return linkedin.whose({ author, accessToken }, tools);
  };

  it('are those of whom they may post for', async () => {
    expect(await whose()).toEqual({ id: LINKEDIN_AUTHOR, name: 'Acme' });
    expect(await whose({ mayRead: false })).toEqual({ id: LINKEDIN_AUTHOR, name: LINKEDIN_AUTHOR });
  });

  it('do not work for somebody else, or with another token, which is not repeated', async () => {
    expect(await failureOf(whose({ author: 'urn:li:person:other' }))).toMatchObject({ code: 'AUTH_ERROR' });
    const failure = await failureOf(whose({ accessToken: 'another-secret-token' }));
    expect(failure).toMatchObject({ code: 'AUTH_ERROR' });
    expect(failure.message).toContain('has expired');
    expect(wordsOf(failure)).not.toContain('another-secret-token');
  });
});
