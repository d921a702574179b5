import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalNames } from '../../src/platform/http/local-names.js';
import { NameResolver } from '../../src/platform/http/name-resolver.js';
import { ResolutionTimes } from '../../src/platform/http/resolution-times.js';
import { testDatabase } from '../harness/database.js';
import { outgoingClient } from '../harness/outgoing.js';
import { startSite } from '../harness/site.js';
import { type Answer, startNameServer } from './fake-name-server.js';

const db = testDatabase();
const MISSING = { code: 'ENOTFOUND', message: 'its name does not resolve' };
const SILENT = { code: 'EAI_AGAIN', message: 'no name server answered for its name' };
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];

async function newResolver(answerFor: (name: string) => Answer | Promise<Answer>) {
  const { server, asked } = await startNameServer(answerFor);
  const resolver = new NameResolver({ dnsServers: [server] });
  const names = () => [...new Set(asked)];
  const all = (wanted: string[]) => Promise.all(wanted.map((name) => resolver.lookup(name).catch(() => [])));
  /** Background lookups of names, and how each ends. */
  const inBackground = (wanted: string[], owner?: string) =>
    Promise.all(wanted.map((name) => resolver.lookup(name, { owner }).then(() => 'resolved', endingOf)));
  return { resolver, asked, names, all, inBackground };
}

/** A name that is slow may also be one of a machine that is: both are waited for later. */
function endingOf({ code, message }: { code: string; message: string }): string {
  if (code !== 'HOST_BUSY') return code;
  const [, reason] = /^is asked at \S+: (.*)$/.exec(message) ?? [];
  return reason ?? message;
}

const FULL = 'too many other names are being resolved';
const OUTAGE = 'name resolution does not work';

const many = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, n) => name(n));

let passedMs = 0;
/** Lets what is remembered grow old. */
function passTime(ms: number): void {
  passedMs += ms;
}
beforeEach(() => {
  passedMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
});
afterEach(() => void vi.restoreAllMocks());

describe('a name', () => {
  it('is resolved once for all who want it, and remembered', async () => {
    const { resolver, asked } = await newResolver(() => ['192.0.2.1', '192.0.2.2', '2001:db8::7']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => resolver.lookup('feeds.example')));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
    await resolver.lookup('FEEDS.example');
    // One question for each family.
    expect(asked).toEqual(['feeds.example', 'feeds.example']);
  });

  it('that does not exist is remembered, too', async () => {
    const { resolver, asked } = await newResolver(() => 'missing');
    for (const _ of [1, 2, 3]) await expect(resolver.lookup('gone.example.')).rejects.toMatchObject(MISSING);
    expect(asked).toHaveLength(2);
  });

  it.each(['silent', 'servfail'] as const)(
    'that has no answer (%s) fails, and fails again without a question',
    async (answer) => {
      const { resolver, asked } = await newResolver(() => answer);
      await expect(resolver.lookup('dead.example.')).rejects.toMatchObject(SILENT);
      const questions = asked.length;
      await expect(resolver.lookup('dead.example.')).rejects.toMatchObject(SILENT);
      expect(asked).toHaveLength(questions);
    },
  );

  it('that resolved before keeps its addresses while no name server answers, until one says that it is gone', async () => {
    let answer: Answer = ['127.0.0.1'];
    const { resolver, names } = await newResolver(() => answer);
    await resolver.lookup('good.example.');
    for (const failure of ['silent', 'servfail'] as const) {
      answer = failure;
      passTime(120_000);
      expect(await resolver.lookup('good.example.')).toEqual(LOOPBACK);
    }
    answer = 'missing';
    // The lookup that no name server answers may still be running, for up to three seconds.
    await vi.waitFor(
      async () => {
        passTime(120_000);
        await expect(resolver.lookup('good.example.')).rejects.toMatchObject(MISSING);
      },
      { timeout: 10_000 },
    );
    expect(names()).toEqual(['good.example']);
  });

  it('that resolved long ago does not', async () => {
    let answer: Answer = ['127.0.0.1'];
    const { resolver } = await newResolver(() => answer);
    await resolver.lookup('good.example.');
    answer = 'servfail';
    passTime(3_600_001);
    await expect(resolver.lookup('good.example.')).rejects.toMatchObject(SILENT);
  });

  it('of this machine needs no name server', async () => {
    const { resolver, asked } = await newResolver(() => 'missing');
    expect((await resolver.lookup('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
    expect(asked).toEqual([]);
  });
});

describe('files of this machine', () => {
  const local = (hosts: string, resolvConf: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-names-'));
    const paths = { hosts: join(folder, 'hosts'), resolvConf: join(folder, 'resolv.conf') };
    writeFileSync(paths.hosts, hosts);
    writeFileSync(paths.resolvConf, resolvConf);
    return new LocalNames(paths);
  };

  it('give the addresses of names', async () => {
    const names = local(
      '127.0.0.1 localhost\n# 1.1.1.1 no\n10.0.0.7\tRssHub rsshub.internal # here\nfd00::7 rsshub\n',
      '',
    );
    expect(await names.addressesOf('rsshub')).toEqual([
      { address: '10.0.0.7', family: 4 },
      { address: 'fd00::7', family: 6 },
    ]);
    expect(await names.addressesOf('rsshub.internal.')).toHaveLength(1);
    expect(await names.addressesOf('no')).toBeUndefined();
  });

  it('complete short names', async () => {
    const names = local('', 'nameserver 10.0.0.10\nsearch web.svc.cluster.local svc.cluster.local.\noptions ndots:5\n');
    expect(await names.candidatesFor('rsshub')).toEqual([
      'rsshub.web.svc.cluster.local',
      'rsshub.svc.cluster.local',
      'rsshub',
    ]);
    expect((await names.candidatesFor('feeds.example'))[0]).toBe('feeds.example');
    expect(await names.candidatesFor('feeds.example.')).toEqual(['feeds.example']);
  });
});

describe('names of dead name servers', () => {
  const isDead = (name: string) => name.includes('dead');

  it('do not keep new names from being looked up, of anybody, nor names that resolved before', async () => {
    const { resolver, asked, names, inBackground } = await newResolver((name) =>
      isDead(name) ? 'silent' : ['127.0.0.1'],
    );
    await resolver.lookup('known.example.');
    passTime(120_000);
    asked.length = 0;
    const dead = inBackground(
      many(2_000, (n) => `dead${n}.example.`),
      'importer',
    );
    const good = ['known.example', ...many(20, (n) => `new${n}.example`)];
    const ends = await inBackground(good.map((name) => `${name}.`));
    expect(ends).not.toContain(FULL);
    expect(await inBackground(['first.example.'], 'another')).not.toContain(FULL);
    expect(names()).toEqual(expect.arrayContaining([...good, 'first.example']));
    // Beyond the bound of the importer, names are refused at once, which says nothing about them.
    expect((await dead).filter((end) => end === FULL)).toHaveLength(2_000 - 64);
  });

  it('have a smaller share once they have failed, and leave the others theirs', async () => {
    const { names, asked, all, inBackground } = await newResolver((name) => (isDead(name) ? 'servfail' : 'silent'));
    const dead = many(90, (n) => `dead${n}.example.`);
    await all(dead);
    expect(names()).toHaveLength(90);
    passTime(120_000);
    asked.length = 0;
    const again = inBackground(dead);
    expect(await inBackground(many(20, (n) => `new${n}.example.`))).not.toContain(FULL);
    expect((await again).filter((end) => end === FULL)).toHaveLength(90 - 64);
    expect(names()).toHaveLength(64 + 20);
  });

  it('of one domain are asked for a few at a time', async () => {
    const { names, inBackground } = await newResolver(() => 'silent');
    const ends = await inBackground(many(50, (n) => `n${n}.dead.example.`));
    expect(ends.filter((end) => end === FULL)).toHaveLength(46);
    expect(names()).toHaveLength(4);
  });

  it('of one domain fail together when none is answered, but for those that resolved before', async () => {
    const { resolver, names, all, inBackground } = await newResolver((name) =>
      name === 'good.dead.example' ? ['127.0.0.1'] : 'servfail',
    );
    await resolver.lookup('good.dead.example.');
    await all(many(4, (n) => `n${n}.dead.example.`));
    expect(await inBackground(['n4.dead.example.'])).toEqual(['EAI_AGAIN']);
    expect(names()).toHaveLength(5);
    expect(await resolver.lookup('good.dead.example.')).toEqual(LOOPBACK);
    passTime(60_001);
    await inBackground(['n5.dead.example.']);
    expect(names()).toContain('n5.dead.example');
  });
});

describe('a slow name', () => {
  it('is not waited for in the background, and is found when the work comes back', async () => {
    let answer = (_: Answer) => {};
    const held = new Promise<Answer>((resolve) => {
      answer = resolve;
    });
    const { resolver, inBackground } = await newResolver(() => held);
    const waiting = resolver.lookup('slow.example.');
    expect(await inBackground(['slow.example.'])).toEqual(['its name is not resolved yet']);
    answer(['127.0.0.1']);
    expect(await waiting).toEqual(LOOPBACK);
    expect(await inBackground(['slow.example.'])).toEqual(['resolved']);
  });

  it('costs a fetch no attempt: the request fails with a time to come back', async () => {
    const { resolver } = await newResolver(() => 'silent');
    const client = outgoingClient(db.database, { lookup: resolver.lookup });
    const request = client.get('http://slow.example/', { background: {} });
    await expect(request).rejects.toMatchObject({ code: 'HOST_BUSY', until: expect.any(Date) });
  });
});

describe('an outage of the name servers', () => {
  it('is not blamed on names: background work comes back later', async () => {
    const { resolver, all, inBackground } = await newResolver(() => 'servfail');
    const names = many(10, (n) => `first${n}.example.`);
    await all(names);
    expect(await inBackground(names)).toEqual(names.map(() => OUTAGE));
    await expect(resolver.lookup('first0.example.')).rejects.toMatchObject(SILENT);
  });

  it('is distinguished from dead names by the root zone and by names that resolved before', async () => {
    let isDown = false;
    const { resolver, names, all } = await newResolver((name) => {
      if (isDown || name.startsWith('dead')) return 'servfail';
      return name === '' ? 'missing' : ['127.0.0.1'];
    });
    const severity = () => resolver.times.problem()?.severity;
    await resolver.sendCanaries();
    expect(names()).toEqual([]);

    await all(many(20, (n) => `dead${n}.example.`));
    expect(severity()).toBe('critical');
    await resolver.sendCanaries();
    expect(names()).toContain('');
    expect(severity()).toBeUndefined();

    await resolver.lookup('good.example.');
    isDown = true;
    passTime(61_000);
    await all(['dead20.example.']);
    for (const _ of many(10, String)) await resolver.sendCanaries();
    expect(severity()).toBe('critical');
    expect(await resolver.lookup('good.example.')).toEqual(LOOPBACK);

    isDown = false;
    await resolver.sendCanaries();
    expect(severity()).toBeUndefined();
  });
});

describe('slow resolution', () => {
  const problemAfter = (lookups: { ms: number; isAnswered: boolean }[], agoMs = 0) => {
    const times = new ResolutionTimes();
    for (const lookup of lookups) times.add(lookup, 100_000 - agoMs);
    return times.problem(100_000);
  };
  const samples = (count: number, ms: number, isAnswered = true) => new Array(count).fill({ ms, isAnswered });

  it('is critical when half of the answers are slow, or none comes', () => {
    expect(problemAfter(samples(20, 2_500))).toEqual({
      severity: 'critical',
      message: 'is slow: half of the answers took more than 2.5 s in the last minute',
    });
    expect(problemAfter(samples(20, 5_000, false))).toEqual({
      severity: 'critical',
      message: 'does not work: none of 20 lookups was answered in the last minute',
    });
  });

  it('is a warning when many names have no answer while others do', () => {
    expect(problemAfter([...samples(100, 5_000, false), ...samples(20, 30)])).toEqual({
      severity: 'warning',
      message: 'is slow for many names: 100 of 120 lookups had no answer in the last minute',
    });
  });

  it('is nothing after a few lookups, a minute later, or for some dead names', () => {
    expect(problemAfter(samples(9, 5_000, false))).toBeUndefined();
    expect(problemAfter(samples(20, 2_500), 61_000)).toBeUndefined();
    expect(problemAfter([...samples(49, 5_000, false), ...samples(20, 30)])).toBeUndefined();
    expect(problemAfter([...samples(100, 5_000, false), ...samples(400, 30)])).toBeUndefined();
  });

  it('is waited for longer than quick resolution', () => {
    const patienceAfter = (ms: number) => {
      const times = new ResolutionTimes();
      for (const lookup of samples(20, ms)) times.add(lookup, 0);
      return times.patienceMs(0);
    };
    expect([20, 200, 900].map(patienceAfter)).toEqual([400, 800, 3_000]);
  });
});

describe('an answer of a name server that leads to a special address', () => {
  it.each<[string, Answer]>([
    ['an IPv4 address', ['10.0.0.1']],
    ['one of several', ['192.0.2.1', '169.254.169.254']],
    ['an IPv6 address', ['::1']],
    ['IPv6 beside a public IPv4 address', ['93.184.216.34', 'fd00::1']],
    ['an IPv4-mapped IPv6 address', ['::ffff:7f00:1']],
    ['an alias', { cname: 'inside.example', addresses: ['10.0.0.1'] }],
  ])('is refused: %s', async (_, answer) => {
    const { resolver } = await newResolver(() => answer);
    const client = outgoingClient(db.database, { lookup: resolver.lookup, allowNetworks: [] });
    for (const background of [undefined, {}])
      await expect(client.get('http://feeds.example/', { background })).rejects.toMatchObject({
        code: 'ADDRESS_REFUSED',
      });
  });

  it('is refused as well when it comes after the name was looked up ahead', async () => {
    const site = await startSite((_, response) => response.end('inside'));
    const turns = ['93.184.216.34', '127.0.0.1'];
    const lookup = async () => [{ address: turns.shift() ?? '127.0.0.1', family: 4 }];
    const client = outgoingClient(db.database, { lookup, allowNetworks: [] });
    const request = client.get(site.url('/', 'rebind.example'), { background: {} });
    await expect(request).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(site.connections).toBe(0);
  });
});
