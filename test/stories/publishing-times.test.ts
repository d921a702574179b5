import { describe, expect, it, vi } from 'vitest';
import { Jobs } from '../../src/platform/jobs/jobs.js';
import { DuePublicationsStore } from '../../src/publishing/sending/due-publications.store.js';
import { publishJobs } from '../../src/publishing/sending/publish-jobs.js';
import { testDatabase } from '../harness/database.js';
import { startFiles, textsOf } from '../publishing/fake-platforms.js';
import { limited, out, startWorld } from '../publishing/world.js';

const db = testDatabase();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };

/** As SPEC has it: what does not exist moves forward, of what exists twice the first is meant. */
const OVER_CHANGES: [zone: string, localTime: string, at: string][] = [
  ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30:00Z'],
  ['America/New_York', '2027-03-14T23:59', '2027-03-15T03:59:00Z'],
  ['Asia/Kolkata', '2027-03-28T02:30', '2027-03-27T21:00:00Z'],
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30:00Z'],
  ['Europe/Berlin', '2027-03-28T23:59', '2027-03-28T21:59:00Z'],
  ['Australia/Lord_Howe', '2027-04-04T01:30', '2027-04-03T14:30:00Z'],
  ['Australia/Lord_Howe', '2027-04-04T23:59', '2027-04-04T13:29:00Z'],
  ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:45:00Z'],
  ['Australia/Lord_Howe', '2027-10-03T23:59', '2027-10-03T12:59:00Z'],
  ['Europe/Berlin', '2027-10-31T01:30', '2027-10-30T23:30:00Z'],
  ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30:00Z'],
  ['Europe/Berlin', '2027-10-31T23:59', '2027-10-31T22:59:00Z'],
  ['America/New_York', '2027-11-07T01:30', '2027-11-07T05:30:00Z'],
  ['America/New_York', '2027-11-07T23:59', '2027-11-08T04:59:00Z'],
];

const justBefore = (moment: string) => new Date(Date.parse(moment) - 1).toISOString();

it('a post that is handed out before its time, by a clock that is ahead, waits for it', async () => {
  const { fake, anna, accountId, time, millrace } = await startWorld(db.url, 'webhook');
  const scheduledAt = new Date(time.now().getTime() + HOUR_MS).toISOString();
  const { id } = await anna.publish({ accountId, content: { text: 'In an hour' }, scheduledAt });
  const job = publishJobs.get('webhook');
  if (!job) throw new Error('there is no job for webhooks');
  const ahead = { platform: 'webhook', now: new Date(time.now().getTime() + 2 * HOUR_MS), limit: 1 };
  const due = await millrace.app
    .get(DuePublicationsStore)
    .take({ ...ahead, capacityOfUsers: new Map(), capacityOfOthers: 1, queued: new Map() });
  await millrace.app.get(Jobs).enqueueRows(job, due);
  await vi.waitFor(async () => {
    const { status, history } = await anna.find(id);
    expect([status, history.at(-1)?.reason]).toEqual(['scheduled', 'it is not due yet']);
  }, WAIT_OPTIONS);
  expect(await anna.find(id)).toMatchObject({ attempts: 0, waitingFor: 'its time', waitsUntil: scheduledAt });
  expect(textsOf(fake)).toEqual([]);
  await time.pass(HOUR_MS);
  expect(await anna.when(id, 'published')).toMatchObject({ attempts: 1 });
});

describe('over changes of the clock', () => {
  it('each post goes out at the moment that was meant, and none before', async () => {
    const { fake, anna, accountId, time } = await startWorld(db.url, 'webhook');
    await time.standAt('2027-03-01T00:00:00Z');
    const made = new Map<string, string>();
    for (const [timezone, localTime, at] of OVER_CHANGES.toReversed()) {
      const { id, scheduledAt } = await anna.publish({ accountId, content: { text: at }, localTime, timezone });
      expect(Date.parse(scheduledAt), `${localTime} in ${timezone}`).toBe(Date.parse(at));
      made.set(at, id);
    }
    const gone: string[] = [];
    for (const [, , at] of OVER_CHANGES) {
      await time.standAt(justBefore(at));
      expect((await anna.find(made.get(at) ?? '')).status).toBe('scheduled');
      await time.standAt(at);
      await anna.when(made.get(at) ?? '', 'published');
      gone.push(at);
      expect(textsOf(fake)).toEqual(gone);
    }
  });

  it('posts that take the next slot keep to the clock on the wall', async () => {
    const { fake, anna, accountId, time } = await startWorld(db.url, 'webhook');
    await time.standAt('2027-03-26T12:00:00Z');
    const days = ['sat', 'sun', 'mon'];
    const times = [
      { days, time: '02:30' },
      { days, time: '09:00' },
    ];
    await anna.send('PATCH', `/accounts/${accountId}`, { slots: { timezone: 'Europe/Berlin', times } });
    const slots = [
      '2027-03-27T01:30:00.000Z',
      '2027-03-27T08:00:00.000Z',
      '2027-03-28T01:30:00.000Z',
      '2027-03-28T07:00:00.000Z',
      '2027-03-29T00:30:00.000Z',
      '2027-03-29T07:00:00.000Z',
    ];
    const ids: string[] = [];
    for (const slot of slots) {
      const made = await anna.publish({ accountId, content: { text: slot }, slot: 'next' });
      expect(made.scheduledAt).toBe(slot);
      ids.push(made.id);
    }
    for (const [place, slot] of slots.entries()) {
      await time.standAt(justBefore(slot));
      expect((await anna.find(ids[place] ?? '')).status).toBe('scheduled');
      await time.standAt(slot);
      await anna.when(ids[place] ?? '', 'published');
    }
    expect(textsOf(fake)).toEqual(slots);
  });
});

describe('what is too late is not published', () => {
  it('although there is capacity again', async () => {
    const limits = limited('webhook', { most: 1, windowMs: 2 * HOUR_MS });
    const { fake, anna, accountId, time } = await startWorld(db.url, 'webhook', { ...limits, publishGraceMs: HOUR_MS });
    await out(anna, accountId, 'In time');
    const content = { text: 'Late' };
    const expiresAt = new Date(time.now().getTime() + 30 * MINUTE_MS).toISOString();
    const { id: expiring } = await anna.publish({ accountId, content, expiresAt });
    const { id: waiting } = await anna.publish({ accountId, content });
    expect((await anna.find(expiring)).waitingFor).toContain('capacity');
    await time.pass(31 * MINUTE_MS);
    const expired = await anna.when(expiring, 'expired');
    expect(expired.history.at(-1)?.reason).toContain('expiresAt');
    expect((await anna.find(waiting)).status).toBe('scheduled');
    await time.pass(2 * HOUR_MS);
    const late = await anna.when(waiting, 'expired');
    expect(late).toMatchObject({ attempts: 0, waitingFor: null });
    expect(late.history.at(-1)?.reason).toContain('too long ago');
    await out(anna, accountId, 'The next');
    expect(textsOf(fake)).toEqual(['In time', 'The next']);
  });

  it('though it was being prepared', async () => {
    const { fake, anna, accountId, time } = await startWorld(db.url, 'mastodon');
    const { photo } = await startFiles();
    fake.slowMs = 500;
    fake.plan('slow after', 'upload');
    const expiresAt = new Date(time.now().getTime() + HOUR_MS).toISOString();
    const { id } = await anna.publish({ accountId, content: { text: 'Late', mediaUrls: [photo] }, expiresAt });
    await vi.waitFor(() => expect(fake.uploads).toHaveLength(1), 10_000);
    await time.pass(HOUR_MS);
    await anna.when(id, 'expired');
    expect(fake.posts).toEqual([]);
  });
});
