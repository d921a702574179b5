import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { FakeHub } from '../fetching/fake-hub.js';
import { openReachable } from '../fetching/pushed-feed.js';
import { testDatabase } from '../harness/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { type Reader, startReader } from '../harness/reader.js';
import { ALICE, FakeBluesky } from '../platforms/fake-bluesky.js';
import { account, FakeMastodon } from '../platforms/fake-mastodon.js';

const TIMEOUT = { timeout: 40_000, interval: 50 };
const STORY = { timeout: 180_000 };
const MINUTE_MS = 60_000;
const server = testDatabase();
// All sites are on one host here: what one of them asks for would hold for the next test.
beforeEach(() => server.database.pool.query('DELETE FROM host_backoffs; DELETE FROM host_limits'));

const redirect =
  (to: string, status = 301) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, { location: to }).end();
const forged = { guid: 'urgent', title: 'URGENT: confirm your account' };
const real = { guid: 'rates', title: 'New interest rates' };

let users = 0;
const someone = (reader: Pick<Reader, 'as'>) => {
  users += 1;
  return reader.as(`hijack-${users}`);
};
type Someone = ReturnType<typeof someone>;

const addressesOf = async (user: Someone): Promise<string[]> => {
  const { body } = await user.send('GET', '/sources');
  return body.items.map(({ externalId }: { externalId: string }) => externalId);
};
const shows = (user: Someone, ...titles: string[]) =>
  vi.waitFor(async () => expect((await user.titles()).toSorted()).toEqual(titles.toSorted()), TIMEOUT);
const follows = (user: Someone, ...addresses: string[]) =>
  vi.waitFor(async () => expect((await addressesOf(user)).toSorted()).toEqual(addresses.toSorted()), TIMEOUT);

async function refresh(reader: Reader, user: Someone): Promise<void> {
  reader.clock.advance(5 * MINUTE_MS);
  expect((await user.send('POST', '/feed/refresh', {})).status).toBe(202);
}

/** Waits until the import has ended. */
async function imported(reader: Reader, user: Someone, wanted: { feeds: string[]; follow?: boolean }) {
  const { status, body } = await user.send('POST', '/imports/start', wanted);
  expect(status).toBe(202);
  return vi.waitFor(async () => {
    // Turns at hosts go by the clock.
    reader.clock.advance(1_000);
    const { body: now } = await user.send('GET', `/imports/${body.id}`);
    expect(now.status).toBe('completed');
    return now;
  }, TIMEOUT);
}

/** The attacker's feed, which one user follows and has read, and the bank's feed, which the victim follows if `followed`. */
async function attack({ followed = true, hubs = [] as string[], reader: given }: Partial<Attack> = {}) {
  const reader = given ?? (await startReader(server.url, { policy: 'tiers' }));
  const [evil, bank] = [await FeedSite.start(), await FeedSite.start()];
  const [victim, fan] = [someone(reader), someone(reader)];
  // A port may be used again, and with it the address of a feed of another story.
  const paths = { evil: `/evil-${users}`, second: `/second-${users}`, bank: `/bank-${users}` };
  const addresses = { evil: evil.url(paths.evil), second: evil.url(paths.second), bank: bank.url(paths.bank) };
  evil.hubs = hubs;
  evil.publish(paths.evil, forged);
  bank.publish(paths.bank, real);
  await fan.follow(addresses.evil);
  await shows(fan, forged.title);
  if (followed) await victim.follow(addresses.bank);
  if (followed) await shows(victim, real.title);
  return { reader, evil, bank, victim, fan, paths, addresses };
}

interface Attack {
  followed: boolean;
  hubs: string[];
  reader: Reader;
}

describe('a feed that redirects to the feed of a bank', STORY, () => {
  it.each([301, 308])('with %i takes its followers there, and none of its posts', async (status) => {
    const { reader, evil, victim, fan, paths, addresses } = await attack();
    evil.on(paths.evil, redirect(addresses.bank, status));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    await shows(fan, forged.title, real.title);
    expect(await victim.titles()).toEqual([real.title]);
    expect(await victim.titles('?q=urgent')).toEqual([]);
  });

  it('in several steps moves nothing but followers either', async () => {
    const { reader, evil, victim, fan, paths, addresses } = await attack();
    evil.on(paths.evil, redirect(paths.second));
    evil.on(paths.second, redirect(addresses.bank, 308));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    expect(await victim.titles()).toEqual([real.title]);
  });

  it('after it redirected to another one of its own leaves the posts of both behind', async () => {
    const { reader, evil, victim, fan, paths, addresses } = await attack();
    evil.publish(paths.second, { guid: 'two', title: 'URGENT: second notice' });
    evil.on(paths.evil, redirect(paths.second));
    await refresh(reader, fan);
    await follows(fan, addresses.second);
    await shows(fan, forged.title, 'URGENT: second notice');
    evil.on(paths.second, redirect(addresses.bank));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    await shows(fan, forged.title, 'URGENT: second notice', real.title);
    expect(await victim.titles()).toEqual([real.title]);
  });

  it('before anybody follows that one has not filled it with posts', async () => {
    const { reader, evil, victim, fan, paths, addresses } = await attack({ followed: false });
    evil.on(paths.evil, redirect(addresses.bank));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    await victim.follow(addresses.bank);
    await shows(victim, real.title);
    const late = someone(reader);
    await late.follow(addresses.evil);
    await shows(late, real.title);
    await follows(late, addresses.bank);
  });

  it('cannot claim the ids of its future posts', async () => {
    const { reader, evil, bank, victim, fan, paths, addresses } = await attack();
    evil.publish(paths.evil, { guid: 'statement', title: 'Old news', publishedAt: new Date('2001-01-01T00:00:00Z') });
    await refresh(reader, fan);
    await shows(fan, forged.title, 'Old news');
    evil.on(paths.evil, redirect(addresses.bank));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    const publishedAt = new Date(Math.floor(reader.clock.now().getTime() / 1_000) * 1_000);
    bank.publish(paths.bank, { guid: 'statement', title: 'Your statement', publishedAt });
    await refresh(reader, victim);
    await shows(victim, 'Your statement', real.title);
    const { body } = await victim.send('GET', '/feed?q=statement');
    expect(body.items).toMatchObject([{ title: 'Your statement', publishedAt: publishedAt.toISOString() }]);
    await shows(fan, forged.title, 'Old news', 'Your statement', real.title);
  });

  it('cannot push to it by the hub that it named before', async () => {
    const reader = await openReachable(server.url);
    onTestFinished(() => reader.stop());
    const hub = await FakeHub.start();
    const { evil, victim, fan, paths, addresses } = await attack({ hubs: [hub.url], reader });
    const subscriber = await vi.waitFor(() => hub.subscriber(), TIMEOUT);
    evil.on(paths.evil, redirect(addresses.bank));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    evil.publish(paths.evil, { guid: 'pushed', title: 'URGENT: pushed' });
    const body = evil.render(paths.evil)?.body ?? '';
    expect(await hub.deliver(subscriber, { body })).toBe(410);
    expect(await hub.deliver(subscriber, { body, self: addresses.bank })).toBe(410);
    expect(await victim.titles()).toEqual([real.title]);
    expect(await fan.titles()).not.toContain('URGENT: pushed');
    await vi.waitFor(() => expect(hub.asked.at(-1)?.get('hub.mode')).toBe('unsubscribe'), TIMEOUT);
  });

  it('and then shows posts of its own again cannot have them imported as those of the bank', async () => {
    const reader = await startReader(server.url, { policy: 'tiers', importRate: 100_000 }, [ImportsModule]);
    const { evil, victim, fan, paths, addresses } = await attack({ reader });
    evil.on(paths.evil, redirect(addresses.bank));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    evil.repair(paths.evil);
    evil.publish(paths.evil, { guid: 'rates', title: 'URGENT: imported' });
    const mallory = someone(reader);
    await imported(reader, mallory, { feeds: [addresses.evil], follow: true });
    await vi.waitFor(async () => expect(await mallory.titles()).toContain('URGENT: imported'), TIMEOUT);
    expect(await victim.titles()).toEqual([real.title]);
  });

  it('is imported as what the bank publishes there, and nothing else', async () => {
    const reader = await startReader(server.url, { policy: 'tiers', importRate: 100_000 }, [ImportsModule]);
    const { evil, victim, paths, addresses } = await attack({ reader });
    evil.on(paths.evil, redirect(addresses.bank));
    const mallory = someone(reader);
    const { items } = await imported(reader, mallory, { feeds: [addresses.evil], follow: true });
    expect(items).toMatchObject({ found: 1, failed: 0 });
    expect(await mallory.titles()).toEqual([real.title]);
    expect(await victim.titles()).toEqual([real.title]);
  });
});

describe('an account that says it has moved to that of a bank', STORY, () => {
  async function newInstances() {
    users += 1;
    const hosts = { evil: `evil-${users}.example`, bank: `bank-${users}.example` };
    const accounts = { evil: `mallory@${hosts.evil}`, bank: `bank@${hosts.bank}` };
    const [evil, bank] = [await new FakeMastodon().start(), await new FakeMastodon().start()];
    const mastodonUrl = evil.url.replace(/\/\/[^:]+/, '//127.0.0.1');
    evil.neighbours = [bank];
    bank.account = account('bank', { id: '202', uri: `${mastodonUrl}users/bank` });
    evil.account = account('mallory', { id: '101', moved: account('bank', { acct: accounts.bank }) });
    bank.post({ id: '1', content: 'New interest rates' });
    evil.post({ id: '1', content: 'URGENT: confirm your account' });
    return { evil, bank, mastodonUrl, accounts, hosts };
  }

  const follow = (user: Someone, externalId: string) =>
    user.send('POST', '/sources/follow', { type: 'mastodon', externalId });
  const contents = async (user: Someone): Promise<string[]> => {
    const { body } = await user.send('GET', '/feed');
    return body.items.map(({ content }: { content: string }) => content);
  };
  const reads = (user: Someone, ...expected: string[]) =>
    vi.waitFor(
      async () =>
        expect((await contents(user)).toSorted()).toEqual(expected.map((text) => `<p>${text}</p>`).toSorted()),
      TIMEOUT,
    );

  it('stays where it is while the bank does not say so, too', async () => {
    const { evil, bank, mastodonUrl, accounts } = await newInstances();
    const reader = await startReader(server.url, { policy: 'tiers', mastodonUrl });
    const [victim, fan] = [someone(reader), someone(reader)];
    await follow(victim, accounts.bank);
    await reads(victim, 'New interest rates');
    await follow(fan, accounts.evil);
    await reads(fan, 'URGENT: confirm your account');
    await follows(fan, accounts.evil);
    bank.alsoKnownAs = ['https://elsewhere.example/users/mallory'];
    evil.post({ id: '2', content: 'URGENT: again' });
    await refresh(reader, fan);
    await reads(fan, 'URGENT: confirm your account', 'URGENT: again');
    await reads(victim, 'New interest rates');
    await follows(fan, accounts.evil);
  });

  it('brings its followers along once the bank names it, and none of its posts', async () => {
    const { bank, mastodonUrl, accounts, hosts } = await newInstances();
    bank.alsoKnownAs = [`https://${hosts.evil}/users/mallory`];
    const reader = await startReader(server.url, { policy: 'tiers', mastodonUrl });
    const [victim, fan] = [someone(reader), someone(reader)];
    await follow(victim, accounts.bank);
    await reads(victim, 'New interest rates');
    await follow(fan, accounts.evil);
    await follows(fan, accounts.bank);
    await reads(fan, 'URGENT: confirm your account', 'New interest rates');
    await reads(victim, 'New interest rates');
  });

  it('is imported under its own name', async () => {
    const { bank, mastodonUrl, accounts, hosts } = await newInstances();
    bank.alsoKnownAs = [`https://${hosts.evil}/users/mallory`];
    const reader = await startReader(server.url, { policy: 'tiers', importRate: 100_000, mastodonUrl }, [
      ImportsModule,
    ]);
    const victim = someone(reader);
    await follow(victim, accounts.bank);
    await reads(victim, 'New interest rates');
    const mallory = someone(reader);
    const feeds = [`urn:millrace:source:mastodon:${encodeURIComponent(accounts.evil)}`];
    const { items } = await imported(reader, mallory, { feeds });
    expect(items).toMatchObject({ found: 1, new: 1 });
    await reads(victim, 'New interest rates');
  });
});

describe('a handle on Bluesky that passes to somebody else', STORY, () => {
  it('stands for another source then, and who followed the first account still does', async () => {
    const appView = await new FakeBluesky().start();
    const blueskyUrl = appView.url.replace(/\/\/[^:]+/, '//127.0.0.1');
    const reader = await startReader(server.url, { policy: 'tiers', blueskyUrl });
    const [fan, late] = [someone(reader), someone(reader)];
    const follow = async (user: Someone) =>
      (await user.send('POST', '/sources/follow', { type: 'bluesky', externalId: ALICE.handle })).body;
    appView.post({}, { text: 'One' });
    const { id } = await follow(fan);
    await vi.waitFor(async () => expect((await fan.send('GET', '/feed')).body.items).toHaveLength(1), TIMEOUT);
    appView.post({ author: { ...ALICE, handle: 'alice.elsewhere.example' } }, { text: 'Two' });
    await refresh(reader, fan);
    await follows(fan, ALICE.did);
    expect((await fan.send('GET', '/feed')).body.items).toHaveLength(2);
    expect(await fan.source(id)).toMatchObject({ id, externalId: ALICE.did });
    const other = await follow(late);
    expect(other.id).not.toBe(id);
    expect(other.externalId).toBe(ALICE.handle);
  });
});

describe('the followers of a feed that has moved', STORY, () => {
  it('keeps what they saw, read and starred, and leaves all of it with the new one', async () => {
    const { reader, evil, fan, paths, addresses } = await attack();
    const { body: before } = await fan.send('GET', '/feed');
    await fan.send('PUT', `/posts/${before.items[0].id}/star`);
    const [old] = (await fan.send('GET', '/sources')).body.items;
    evil.on(paths.evil, redirect(addresses.bank));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    await shows(fan, forged.title, real.title);
    expect(await fan.titles('?starred=true')).toEqual([forged.title]);

    // The old id stands for what is followed now.
    expect(await fan.source(old.id)).toMatchObject({ externalId: addresses.bank, followers: 2 });
    const { body: changed } = await fan.send('PATCH', `/sources/${old.id}/follow`, { folder: 'Money' });
    expect(changed).toMatchObject({ externalId: addresses.bank, folder: 'Money' });
    expect((await fan.titles('?folder=Money')).toSorted()).toEqual([real.title, forged.title].toSorted());
    expect((await fan.send('DELETE', `/sources/${changed.id}/follow`)).status).toBe(204);
    expect(await fan.titles()).toEqual([]);
    expect(await fan.titles('?starred=true')).toEqual([forged.title]);
    await follows(fan);
  });

  it('sees what both show once, and what they have read as read', async () => {
    const { reader, evil, fan, paths, addresses } = await attack({ followed: false });
    evil.publish(paths.evil, real, { guid: 'other', title: 'Of another id there' });
    await refresh(reader, fan);
    await shows(fan, forged.title, real.title, 'Of another id there');
    await fan.send('POST', '/feed/read-all', {});
    const { body } = await fan.send('GET', '/feed?q=interest');
    await fan.send('PUT', `/posts/${body.items[0].id}/star`);
    evil.on(paths.evil, redirect(addresses.bank));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    await vi.waitFor(
      async () => expect((await fan.send('GET', '/feed?q=interest')).body.items[0].id).not.toBe(body.items[0].id),
      TIMEOUT,
    );
    await shows(fan, forged.title, real.title, 'Of another id there');
    expect(await fan.titles('?unread=true')).toEqual([]);
    expect(await fan.titles('?starred=true')).toEqual([real.title]);
  });

  it('goes back with it when it does', async () => {
    const { reader, evil, bank, victim, fan, paths, addresses } = await attack();
    evil.on(paths.evil, redirect(addresses.bank));
    await refresh(reader, fan);
    await follows(fan, addresses.bank);
    evil.repair(paths.evil);
    bank.on(paths.bank, redirect(addresses.evil));
    await refresh(reader, victim);
    await follows(fan, addresses.evil);
    await follows(victim, addresses.evil);
    evil.publish(paths.evil, { guid: 'back', title: 'Back again' });
    await refresh(reader, fan);
    await shows(fan, forged.title, real.title, 'Back again');
  });
});
