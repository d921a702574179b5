import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../../test/harness/database.js';
import {
  ALICE,
  BLUESKY_PASSWORD,
  BOB,
  FakeBlueskyPublishing,
} from '../../../../test/platforms/fake-bluesky-publishing.js';
import { content, failureOf, publishingTools, wordsOf } from '../../../../test/platforms/publishing-tools.js';
import type { Content, MediaFile, PublishCommand } from '../../platform.js';
import { bluesky } from './bluesky.js';
import type { BlueskyCredentials } from './bluesky-api.js';

const store = testDatabase();
const KEY = 'a1'.repeat(16);
const CAT: MediaFile = { bytes: Buffer.from('cat'), type: 'image/png', name: 'cat.png' };
const media = {
  'https://files.example/cat.png': CAT,
  'https://files.example/dog.png': { ...CAT, bytes: Buffer.from('dog') },
  'https://files.example/film.mp4': { ...CAT, type: 'video/mp4', name: 'film.mp4' },
  'https://files.example/huge.png': { ...CAT, bytes: new Uint8Array(2_000_010), name: 'huge.png' },
};
const [CAT_URL, DOG_URL, FILM_URL, HUGE_URL] = Object.keys(media) as [string, string, string, string];

async function newServer() {
  const server = await FakeBlueskyPublishing.startApart();
  onTestFinished(() => server.close());
  const tools = publishingTools(store.database, { media });
  const given = bluesky.credentials.parse({
    service: server.url,
    identifier: `@${ALICE.handle}`,
    password: BLUESKY_PASSWORD,
  });
  const refresh = (credentials: unknown, reason: 'before use' | 'refused') =>
    bluesky.refresh?.(credentials, reason, tools) as Promise<BlueskyCredentials | undefined>;
  const credentials = (await refresh(given, 'before use')) as BlueskyCredentials;
  server.calls.length = 0;
  const commandFor = (words: Partial<Content>, fields: Partial<PublishCommand> = {}): PublishCommand => {
    return { content: content(words), credentials, key: KEY, intendedAt: new Date(), progress: undefined, ...fields };
  };
  const saved: unknown[] = [];
  const prepare = async (command: PublishCommand) =>
    bluesky.prepare?.(command, tools, async (progress) => {
      saved.push(progress);
    });
  const publish = async (command: PublishCommand) =>
    bluesky.publish({ ...command, progress: await prepare(command) }, tools);
  const find = async (command: PublishCommand) => bluesky.find?.(command, tools);
  return { server, tools, given, credentials, refresh, commandFor, saved, prepare, publish, find };
}

const secretsOf = ({ password, session }: BlueskyCredentials) => [
  password,
  session?.accessJwt ?? password,
  session?.refreshJwt ?? password,
];

describe('a post', () => {
  it('shows its text, with links, mentions and tags, and is known by its uri', async () => {
    const { server, publish, commandFor } = await newServer();
    const text = `Grüße @${BOB.handle} and @nobody.example: https://example.org/ä #züge`;
    const published = await publish(commandFor({ text }));
    const [post] = server.posts;
    expect(post?.text).toBe(text);
    const bytes = Buffer.from(text);
    const facets = post?.record.facets as { index: { byteStart: number; byteEnd: number }; features: unknown[] }[];
    expect(
      facets.map(({ index, features }) => [bytes.toString('utf8', index.byteStart, index.byteEnd), features]),
    ).toEqual([
      ['@bob.example', [{ $type: 'app.bsky.richtext.facet#mention', did: BOB.did }]],
      ['https://example.org/ä', [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.org/ä' }]],
      ['#züge', [{ $type: 'app.bsky.richtext.facet#tag', tag: 'züge' }]],
    ]);
    expect(published).toMatchObject({
      postId: post?.uri,
      url: `https://bsky.app/profile/alice.example/post/${post?.rkey}`,
    });
  });

  it('shows its link as a card', async () => {
    const { server, publish, commandFor } = await newServer();
    await publish(commandFor({ text: 'Read', link: 'https://example.org/a', title: 'An article' }));
    await publish(commandFor({ text: 'Read', link: 'https://example.org/b' }, { key: 'b2'.repeat(16) }));
    expect(server.posts.map(({ record, text }) => [text, record.embed])).toMatchObject([
      ['Read', { external: { uri: 'https://example.org/a', title: 'An article', description: '' } }],
      ['Read', { external: { uri: 'https://example.org/b', title: 'example.org' } }],
    ]);
  });

  it('shows its pictures in order, and a link beside them in the text', async () => {
    const { server, publish, commandFor } = await newServer();
    await publish(commandFor({ text: 'Two', link: 'https://example.org/a', mediaUrls: [CAT_URL, DOG_URL] }));
    const [post] = server.posts;
    const embed = post?.record.embed as { images: { image: { ref: { $link: string } } }[] } | undefined;
    expect(post?.text).toBe('Two\n\nhttps://example.org/a');
    expect(post?.record.facets).toHaveLength(1);
    const shown = embed?.images.map(({ image }) => server.blobs.get(image.ref.$link)?.bytes.toString());
    expect(shown).toEqual(['cat', 'dog']);
  });

  it('tells how many more the server takes, and until when', async () => {
    const { publish, commandFor } = await newServer();
    expect((await publish(commandFor({ text: 'Hello' }))).announced).toEqual({
      remaining: 2_499,
      until: expect.any(Date),
    });
  });

  it('is there once however often it is sent, also if it is sent with other words', async () => {
    const { server, publish, commandFor } = await newServer();
    const command = commandFor({ text: 'Once' });
    const first = await publish(command);
    expect((await publish(command)).postId).toBe(first.postId);
    const later = await publish({ ...command, content: content({ text: 'Twice' }), intendedAt: undefined });
    expect(later.postId).toBe(first.postId);
    expect(server.posts.map(({ text }) => text)).toEqual(['Once']);
    await publish({ ...command, key: 'b2'.repeat(16) });
    expect(server.posts).toHaveLength(2);
  });

  it('goes to the server that holds the account', async () => {
    const [home, door] = [await newServer(), await newServer()];
    door.server.pds = home.server.url;
    const credentials = (await door.refresh(door.credentials, 'refused')) as BlueskyCredentials;
    expect(credentials.session?.pds).toBe(home.server.url);
  });

  it('and its token do not follow a service from https to http', async () => {
    const { server, tools, given } = await newServer();
    const { http } = tools;
    server.pds = 'http://elsewhere.example/';
    const request: typeof http.request = (url, options) => http.request(url.replace('https:', 'http:'), options);
    const secret = { ...(given as BlueskyCredentials), service: server.url.replace('http:', 'https:') };
    const renewed = await bluesky.refresh?.(secret, 'refused', { ...tools, http: { ...http, request } });
    expect((renewed as BlueskyCredentials).session?.pds).toBe(secret.service);
  });
});

describe('the pictures of a post', () => {
  it('are not uploaded again after a crash', async () => {
    const { server, prepare, publish, saved, commandFor } = await newServer();
    const command = commandFor({ mediaUrls: [CAT_URL, FILM_URL] });
    await failureOf(prepare(command));
    await publish({ ...command, content: content({ mediaUrls: [CAT_URL, DOG_URL] }), progress: saved.at(-1) });
    expect(server.calls.filter((call) => call.endsWith('(upload)'))).toHaveLength(2);
    expect(server.posts).toHaveLength(1);
  });

  it('are uploaded again after some minutes, in which the server may have removed them', async () => {
    const { server, prepare, publish, tools, commandFor } = await newServer();
    const command = commandFor({ mediaUrls: [CAT_URL] });
    const progress = await prepare(command);
    server.blobs.clear();
    const early = await failureOf(publish({ ...command, progress }));
    expect(early.code).toBe('UNAVAILABLE');
    tools.now = () => new Date(Date.now() + 6 * 60_000);
    await publish({ ...command, progress });
    expect(server.posts).toHaveLength(1);
  });

  it.each([
    ['that are none', FILM_URL, 'film.mp4 is video/mp4'],
    ['that are too large', HUGE_URL, 'has 2000010, 10 more'],
    ['that are missing', 'https://files.example/none', 'no such file'],
  ])('%s are refused', async (_, url, words) => {
    const { prepare, commandFor } = await newServer();
    const failure = await failureOf(prepare(commandFor({ mediaUrls: [url] })));
    expect(failure).toMatchObject({ code: 'REFUSED', message: expect.stringContaining(words) });
  });
});

describe('a server that fails', () => {
  it.each([
    [400, 'InvalidRequest', 'REFUSED'],
    [400, 'ExpiredToken', 'AUTH_ERROR'],
    [401, 'AuthenticationRequired', 'AUTH_ERROR'],
    [401, 'AccountTakedown', 'AUTH_ERROR'],
    [429, 'RateLimitExceeded', 'RATE_LIMITED'],
    [413, 'PayloadTooLarge', 'REFUSED'],
    [500, 'ExpiredToken', 'UNCERTAIN'],
    [502, 'UpstreamFailure', 'UNCERTAIN'],
  ])('with %i %s is judged as %s, and its words tell no secret', async (status, error, code) => {
    const { server, publish, credentials, commandFor } = await newServer();
    server.refuse({ status, body: { error, message: secretsOf(credentials).join(' ') } });
    const failure = await failureOf(publish(commandFor({ text: 'Hello' })));
    expect(failure).toMatchObject({ code, message: `Bluesky answered ${status}: (hidden) (hidden) (hidden)` });
  });

  it('says until when an account has posted enough', async () => {
    const { server, publish, commandFor } = await newServer();
    server.most = 1;
    const failure = await failureOf(publish(commandFor({ text: 'Hello' })));
    expect(failure.code).toBe('RATE_LIMITED');
    expect(failure.until?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  });
});

describe('looking back', () => {
  it('does not take the same text of another publication for this one', async () => {
    const { publish, find, commandFor } = await newServer();
    await publish(commandFor({ text: 'Good morning' }, { key: 'b2'.repeat(16) }));
    expect(await find(commandFor({ text: 'Good morning' }))).toBeUndefined();
  });
});

describe('a session', () => {
  it('is good for some time, and renewed before it runs out', async () => {
    const { server, credentials, refresh, tools } = await newServer();
    expect(await refresh(credentials, 'before use')).toBeUndefined();
    tools.now = () => new Date(Date.now() + 115 * 60_000);
    const renewed = await refresh(credentials, 'before use');
    expect(renewed?.session?.accessJwt).not.toBe(credentials.session?.accessJwt);
    expect(server.calls).toEqual(['POST /xrpc/com.atproto.server.refreshSession (renew)']);
  });

  it('that was refused is renewed, and then takes the post', async () => {
    const { server, credentials, publish, refresh, commandFor } = await newServer();
    server.expireAccess();
    const command = commandFor({ text: 'Hello' });
    expect(await failureOf(publish(command))).toMatchObject({ code: 'AUTH_ERROR' });
    await publish({ ...command, credentials: await refresh(credentials, 'refused') });
    expect(server.posts).toHaveLength(1);
  });

  it('whose renewal was lost, or that was ended, is replaced with the password', async () => {
    const { server, credentials, refresh, publish, commandFor } = await newServer();
    server.plan('drops after', 'renew');
    expect(await failureOf(refresh(credentials, 'refused'))).toMatchObject({ code: 'UNREACHABLE' });
    const renewed = await refresh(credentials, 'refused');
    expect(server.calls.at(-1)).toContain('(sign in)');
    server.endSessions();
    await publish(commandFor({ text: 'x' }, { credentials: await refresh(renewed, 'refused') }));
    expect(server.posts).toHaveLength(1);
  });

  it('is asked for where there is none', async () => {
    const { given, publish, commandFor } = await newServer();
    expect((await failureOf(publish(commandFor({ text: 'x' }, { credentials: given })))).code).toBe('AUTH_ERROR');
  });
});

describe('credentials', () => {
  it('tell whose they are', async () => {
    const { tools, given } = await newServer();
    expect(await bluesky.whose(given, tools)).toEqual({ id: ALICE.did, name: ALICE.handle });
  });

  it('that do not work are found out, and not told', async () => {
    const { tools, given } = await newServer();
    const failure = await failureOf(
      bluesky.whose({ ...(given as BlueskyCredentials), password: 'wrong "one"' }, tools),
    );
    expect(failure).toMatchObject({ code: 'AUTH_ERROR', message: expect.stringContaining('password: (hidden)') });
    expect(wordsOf(failure)).not.toContain('wrong "one"');
  });

  it('of an account that is deactivated do not work', async () => {
    const { server, tools, given } = await newServer();
    server.active = false;
    expect((await failureOf(bluesky.whose(given, tools))).message).toBe('Bluesky says that the account is deactivated');
  });

  it('are for bsky.social unless they say otherwise', () => {
    const given = { identifier: 'alice.example', password: 'x' };
    expect(bluesky.credentials.parse(given)).toEqual({ ...given, service: 'https://bsky.social' });
    expect(bluesky.credentials.safeParse({ ...given, service: 'file:///etc' }).success).toBe(false);
  });
});

describe('what Bluesky takes', () => {
  const problemsOf = (given: Partial<Content>) => bluesky.check(content(given), undefined);

  it('is 300 characters as people see them', () => {
    expect(problemsOf({ text: '👨‍👩‍👧'.repeat(150) + 'x'.repeat(150) })).toEqual([]);
    const message = 'text is 312 characters, 12 more than Bluesky takes';
    expect(problemsOf({ text: 'é'.repeat(312) })).toEqual([{ path: 'text', message }]);
  });

  it('is 3,000 bytes', () => {
    const message = 'text is 3150 bytes, 150 more than Bluesky takes';
    expect(problemsOf({ text: '👨‍👩‍👧‍👦'.repeat(126) })).toEqual([{ path: 'text', message }]);
  });

  it('includes a link beside pictures', () => {
    const given = { text: 'x'.repeat(290), link: 'https://example.org/' };
    expect(problemsOf(given)).toEqual([]);
    const message = 'text and link are 312 characters, 12 more than Bluesky takes';
    expect(problemsOf({ ...given, mediaUrls: [CAT_URL] })).toEqual([{ path: 'text', message }]);
  });

  it('is four pictures', () => {
    const mediaUrls = Array.from({ length: 5 }, () => CAT_URL);
    expect(problemsOf({ mediaUrls })).toEqual([
      { path: 'mediaUrls', message: '5 pictures are 1 more than Bluesky takes' },
    ]);
  });

  it('is no post without anything in it', () => {
    expect(problemsOf({ text: ' ' })).toMatchObject([{ path: 'text' }]);
    expect(problemsOf({ link: 'https://example.org/' })).toEqual([]);
  });
});
