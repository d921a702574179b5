import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/platform/database/database.js';
import type { Content, MediaFile, Platform, PlatformConfig, PublishCommand } from '../../src/publishing/platform.js';
import { FAULTS, type Fault, type FaultyApi } from '../platforms/faulty-api.js';
import { codeOfHarmless, content, failureOf, publishingTools, wordsOf } from '../platforms/publishing-tools.js';

export type PublishingFake = FaultyApi & {
  readonly posts: readonly ({ id: string } | { uri: string } | { key: string })[];
};

/** Describes one platform to the suite: its fake, and examples of what it accepts and refuses. */
export interface PlatformTrial<Fake extends PublishingFake> {
  /** Starts the fake at its own host. */
  start(): Promise<Fake>;
  config?(fake: Fake): Partial<PlatformConfig>;
  credentials(fake: Fake): object;
  /** Credentials that are well-formed and do not work. */
  wrongCredentials(fake: Fake): object[];
  malformedCredentials: object[];
  /** The smallest content that the platform accepts. */
  content: Partial<Content>;
  /** Content whose preparation makes calls. */
  contentInSteps?: Partial<Content>;
  /** The purposes of preparing calls whose answers consist of a status alone. */
  answeredByStatus?: string[];
  media?: Record<string, MediaFile>;
  /** The body of an answer that refuses a post with this message. */
  complaint(words: string): unknown;
  /** Adds a post that equals `content` and that Millrace did not publish. */
  addTwin?(fake: Fake, at: Date): void;
  /** Posts are found by their key, so that `find` asks even if nothing was sent. */
  findsByKey?: boolean;
  /** Any 2xx answer accepts a post, whatever its body. */
  ignoresBody?: boolean;
}

/** Faults of a call without a visible effect, which can be repeated. */
const HARMLESS_FAULTS: Fault[] = ['fails before', 'drops before', 'fails after', 'drops after', 'slow after'];
/** How long a slow answer takes, in milliseconds. */
const PATIENCE_MS = 500;
const HOUR_MS = 3_600_000;
const MEANINGS: [number, string][] = [
  [400, 'REFUSED'],
  [401, 'AUTH_ERROR'],
  [403, 'AUTH_ERROR'],
  [408, 'UNCERTAIN'],
  [422, 'REFUSED'],
  [429, 'RATE_LIMITED'],
  [503, 'UNCERTAIN'],
];

/** Checks everything that all platforms must do alike. */
export function platformConformance<Fake extends PublishingFake>(
  platform: Platform,
  trial: PlatformTrial<Fake>,
  store: { database: Database },
): void {
  const begin = () => beginTrial(platform, trial, store.database);
  describe('a post', () => checkPosts(platform, begin));
  describe('a call that fails', () => checkFailures(platform, begin, trial.ignoresBody ?? false));
  describe('a call that is aborted', () => checkAborts(platform, begin));
  if (trial.contentInSteps) describe('preparing', () => checkPreparing(begin, trial.answeredByStatus ?? []));
  if (platform.find) describe('finding a post', () => checkFinding(begin, trial));
  describe('credentials', () => checkCredentials(platform, begin, trial));
  describe('content', () => checkContent(platform, begin));
}

async function beginTrial<Fake extends PublishingFake>(
  platform: Platform,
  trial: PlatformTrial<Fake>,
  database: Database,
) {
  const fake = await trial.start();
  onTestFinished(() => fake.close());
  const choices = { config: trial.config?.(fake) ?? {}, media: trial.media ?? {} };
  const newTools = (patienceMs?: number) =>
    publishingTools(database, patienceMs ? { ...choices, patienceMs } : choices);
  const tools = newTools();
  const given = platform.credentials.parse(trial.credentials(fake));
  const credentials = (await platform.refresh?.(given, 'before use', tools)) ?? given;
  fake.calls.length = 0;
  const commandFor = (words: Partial<Content> = {}): PublishCommand => ({
    content: content(words),
    credentials,
    key: 'a1'.repeat(16),
    intendedAt: new Date(),
    progress: undefined,
  });
  const saved: unknown[] = [];
  const save = async (progress: unknown) => void saved.push(structuredClone(progress));
  const prepare = async (command: PublishCommand, using = tools) => platform.prepare?.(command, using, save);
  return {
    fake,
    tools,
    newTools,
    /** Tools that do not wait for a slow answer. */
    toolsFor: (fault: Fault) => (fault === 'slow after' ? newTools(PATIENCE_MS) : tools),
    command: commandFor(trial.content),
    commandInSteps: commandFor(trial.contentInSteps),
    complaint: trial.complaint,
    saved,
    prepare,
    prepared: async (command: PublishCommand) => ({ ...command, progress: await prepare(command) }),
    publish: async (command: PublishCommand, using = tools) => platform.publish(command, using),
    find: async (command: PublishCommand, using = tools) => platform.find?.(command, using),
    /** The purposes of all calls that this work makes. */
    async purposesOf(work: () => Promise<unknown>): Promise<string[]> {
      fake.calls.length = 0;
      await work();
      return [...new Set(fake.calls.map((call) => /\((.*)\)$/.exec(call)?.[1] ?? ''))];
    },
    expectNoSecrets(text: string): void {
      for (const secret of secretsIn(credentials)) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(encodeURIComponent(secret));
      }
    },
  };
}

type Begin<Fake extends PublishingFake = PublishingFake> = () => ReturnType<typeof beginTrial<Fake>>;

function checkPosts(platform: Platform, begin: Begin): void {
  it('is not shown before the call that publishes it, and is known by its id', async () => {
    const { fake, command, prepared, publish } = await begin();
    const ready = await prepared(command);
    expect(fake.posts).toEqual([]);
    const { postId } = await publish(ready);
    expect(fake.posts.map(idOf)).toEqual([postId]);
  });

  if (!platform.knowsKeysForMs) return;
  it('is shown once, however often it is sent with its key', async () => {
    const { fake, command, prepared, publish } = await begin();
    const ready = await prepared(command);
    const first = await publish(ready);
    expect((await publish(ready)).postId).toBe(first.postId);
    expect(fake.posts).toHaveLength(1);
    await publish({ ...ready, key: 'b2'.repeat(16) });
    expect(fake.posts).toHaveLength(2);
  });
}

function checkFailures(platform: Platform, begin: Begin, ignoresBody: boolean): void {
  const faults = FAULTS.filter((fault) => !(ignoresBody && fault === 'no JSON after'));

  it.each(faults)('with "%s" leaves the post there once in the end', async (fault) => {
    const { fake, command, prepared, publish, find, toolsFor, expectNoSecrets } = await begin();
    const ready = await prepared(command);
    fake.plan(fault);
    const failure = await failureOf(publish(ready, toolsFor(fault)));
    expect(failure.code).toBe(fault === 'too many' ? 'RATE_LIMITED' : 'UNCERTAIN');
    if (fault === 'too many') expect(failure.until?.getTime()).toBeGreaterThan(Date.now() + 20_000);
    expectNoSecrets(wordsOf(failure));
    expect(fake.posts).toHaveLength(fault.endsWith('after') ? 1 : 0);
    const found = await find(ready);
    if (platform.find) expect(found?.postId).toBe(fake.posts.map(idOf)[0]);
    if (!found) await publish(await prepared(ready));
    expect(fake.posts).toHaveLength(1);
  });

  it.each(MEANINGS)('with %i is judged as %s, and its words tell no secret', async (status, code) => {
    const { fake, command, prepared, publish, complaint, expectNoSecrets } = await begin();
    const spellings = (secret: string) => [secret, encodeURIComponent(secret), JSON.stringify(secret)];
    const ready = await prepared(command);
    fake.refuse({ status, body: complaint(`about ${secretsIn(ready.credentials).flatMap(spellings).join(' ')}`) });
    const failure = await failureOf(publish(ready));
    expect(failure).toMatchObject({ code, message: expect.stringContaining(`answered ${status}: about (hidden)`) });
    expectNoSecrets(wordsOf(failure));
    expect(fake.posts).toEqual([]);
  });

  it.each([
    [302, '/elsewhere'],
    [303, '/elsewhere'],
    [307, 'https://elsewhere.example/'],
    [302, 'javascript:alert(1)'],
  ])('by a %i to %s leaves the outcome open, and is not followed', async (status, Location) => {
    const { fake, command, prepared, publish } = await begin();
    const ready = await prepared(command);
    fake.refuse({ status, headers: { Location } });
    expect((await failureOf(publish(ready))).code).toBe('UNCERTAIN');
    expect(fake.calls.filter((call) => call.includes('elsewhere'))).toEqual([]);
  });

  it('with 429 closes the host for no other call', async () => {
    const { fake, command, prepared, publish } = await begin();
    const ready = await prepared(command);
    fake.plan('too many');
    await failureOf(publish(ready));
    await publish(ready);
    expect(fake.posts).toHaveLength(1);
  });

  it('for want of a connection has certainly published nothing', async () => {
    const { fake, command, prepared, publish, newTools, expectNoSecrets } = await begin();
    const ready = await prepared(command);
    await fake.close();
    // New tools have no connection that the fake is about to close.
    const failure = await failureOf(publish(ready, newTools()));
    expect(failure.code).toBe('UNREACHABLE');
    expectNoSecrets(wordsOf(failure));
  });

  if (ignoresBody) return;
  it('by an answer that breaks the contract leaves the outcome open', async () => {
    const { fake, command, prepared, publish } = await begin();
    const ready = await prepared(command);
    fake.refuse({ status: 200, body: {} });
    expect((await failureOf(publish(ready))).code).toBe('UNCERTAIN');
  });
}

function checkAborts(platform: Platform, begin: Begin): void {
  it('after it was sent may have succeeded', async () => {
    const { fake, tools, command, prepared } = await begin();
    const ready = await prepared(command);
    const stop = new AbortController();
    fake.plan('slow after');
    const publishing = failureOf(platform.publish(ready, { ...tools, signal: stop.signal }));
    await expect.poll(() => fake.posts.length).toBe(1);
    stop.abort(new Error('the process stops'));
    expect((await publishing).code).toBe('UNCERTAIN');
  });

  it('before it was sent ends with the reason of the abort', async () => {
    const { fake, tools, command, prepared } = await begin();
    const ready = await prepared(command);
    fake.calls.length = 0;
    const signal = AbortSignal.abort(new Error('the process stops'));
    await expect(platform.publish(ready, { ...tools, signal })).rejects.toThrow('the process stops');
    expect(fake.calls).toEqual([]);
  });
}

function checkPreparing(begin: Begin, answeredByStatus: string[]): void {
  it('continues from the progress that was saved', async () => {
    const { fake, commandInSteps, prepare, saved, publish } = await begin();
    const progress = await prepare(commandInSteps);
    expect(saved).not.toEqual([]);
    expect(fake.posts).toEqual([]);
    const stored = JSON.parse(JSON.stringify(progress));
    expect(await prepare({ ...commandInSteps, progress: stored })).toEqual(progress);
    await publish({ ...commandInSteps, progress: stored });
    expect(fake.posts).toHaveLength(1);
  });

  it.each(FAULTS)('leaves no doubt about the post if a call meets "%s"', async (fault) => {
    const { fake, commandInSteps, prepare, toolsFor, purposesOf, expectNoSecrets } = await begin();
    const purposes = await purposesOf(() => prepare(commandInSteps));
    expect(purposes).not.toEqual([]);
    const isRead = (purpose: string) => fault !== 'no JSON after' || !answeredByStatus.includes(purpose);
    for (const purpose of purposes.filter(isRead)) {
      fake.plan(fault, purpose);
      const failure = await failureOf(prepare(commandInSteps, toolsFor(fault)));
      expect([purpose, failure.code]).toEqual([purpose, codeOfHarmless(fault)]);
      expectNoSecrets(wordsOf(failure));
    }
    expect(fake.posts).toEqual([]);
  });
}

function checkFinding<Fake extends PublishingFake>(
  begin: Begin<Fake>,
  { addTwin, findsByKey }: PlatformTrial<Fake>,
): void {
  if (!findsByKey) {
    it('asks nobody before a call was intended', async () => {
      const { fake, command, find } = await begin();
      expect(await find({ ...command, intendedAt: undefined })).toBeUndefined();
      expect(fake.calls).toEqual([]);
    });
  }

  it('does not take an equal post from an hour before for this one', async () => {
    const { fake, command, prepared, find } = await begin();
    addTwin?.(fake, new Date(Date.now() - HOUR_MS));
    expect(await find(await prepared(command))).toBeUndefined();
  });

  it.each(FAULTS)('fails if a call meets "%s", because the post may be there', async (fault) => {
    const { fake, command, prepared, publish, find, toolsFor, purposesOf, expectNoSecrets } = await begin();
    const ready = await prepared(command);
    await publish(ready);
    const purposes = await purposesOf(() => find(ready));
    expect(purposes).not.toEqual([]);
    for (const purpose of purposes) {
      fake.plan(fault, purpose);
      const failure = await failureOf(find(ready, toolsFor(fault)));
      expect([purpose, failure.code]).toEqual([purpose, codeOfHarmless(fault)]);
      expectNoSecrets(wordsOf(failure));
    }
  });
}

function checkCredentials<Fake extends PublishingFake>(
  platform: Platform,
  begin: Begin<Fake>,
  { wrongCredentials, malformedCredentials }: PlatformTrial<Fake>,
): void {
  it('belong to somebody, whose name tells no secret', async () => {
    const { command, tools, expectNoSecrets } = await begin();
    const { id, name } = await platform.whose(command.credentials, tools);
    expect(id).not.toBe('');
    expect(name).not.toBe('');
    expectNoSecrets(`${id} ${name}`);
  });

  it('survive being stored', async () => {
    const { command } = await begin();
    const stored = JSON.parse(JSON.stringify(command.credentials));
    expect(platform.credentials.parse(stored)).toEqual(command.credentials);
  });

  it('that do not work are refused, and not repeated', async () => {
    const { fake, tools } = await begin();
    for (const wrong of wrongCredentials(fake)) {
      const failure = await failureOf(platform.whose(platform.credentials.parse(wrong), tools));
      expect([wrong, failure.code]).toEqual([wrong, 'AUTH_ERROR']);
      for (const secret of secretsIn(wrong)) expect(wordsOf(failure)).not.toContain(secret);
    }
  });

  it.each(HARMLESS_FAULTS)('are not judged by a call that meets "%s"', async (fault) => {
    const { fake, command, toolsFor, tools, purposesOf } = await begin();
    for (const purpose of await purposesOf(() => platform.whose(command.credentials, tools))) {
      fake.plan(fault, purpose);
      const failure = await failureOf(platform.whose(command.credentials, toolsFor(fault)));
      expect([purpose, failure.code]).toEqual([purpose, 'UNREACHABLE']);
    }
  });

  it.each(malformedCredentials)('like %j are malformed', (malformed) => {
    expect(platform.credentials.safeParse(malformed).success).toBe(false);
  });
}

function checkContent(platform: Platform, begin: Begin): void {
  const { text, media } = platform.accepts;
  const problemsOf = async (words: Partial<Content>) => {
    const { command } = await begin();
    return platform.check({ ...command.content, ...words }, command.credentials);
  };

  it('is refused if it is empty', async () => {
    expect(await problemsOf({})).toEqual([]);
    expect(await problemsOf({ text: ' \n ', mediaUrls: [] })).not.toEqual([]);
  });

  if (text.most) {
    const most = text.most;
    it('is refused with a message that says by how much its text is too long', async () => {
      expect(await problemsOf({ text: 'x'.repeat(most) })).toEqual([]);
      const message = expect.stringMatching(`^text is ${most + 12} ${text.unit}, 12 more than \\w+ takes$`);
      expect(await problemsOf({ text: 'x'.repeat(most + 12) })).toEqual([{ path: 'text', message }]);
    });
  }

  if (media.most) {
    const mediaUrls = Array.from({ length: media.most + 2 }, (_, at) => `https://files.example/${at}`);
    it('is refused if it has too many files', async () => {
      expect(await problemsOf({ mediaUrls })).toMatchObject([{ path: 'mediaUrls' }]);
      expect(await problemsOf({ mediaUrls: mediaUrls.slice(2) })).toEqual([]);
    });
  }
}

const idOf = (post: { id: string } | { uri: string } | { key: string }): string =>
  'id' in post ? post.id : 'uri' in post ? post.uri : post.key;

/** Collects the values of all fields whose names say that they are secret. */
function secretsIn(credentials: unknown): string[] {
  return Object.entries(credentials ?? {}).flatMap(([name, value]) => {
    if (typeof value === 'object') return secretsIn(value);
    return /token|secret|password|jwt/i.test(name) && typeof value === 'string' ? [value] : [];
  });
}
