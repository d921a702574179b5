import { lookup } from 'node:dns/promises';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

async function newResolver(answerFor: (name: string) => Answer) {
  const { server, asked } = await startNameServer(answerFor);
  return { resolver: new NameResolver({ dnsServers: [server] }), asked };
}

describe('a name', () => {
  it('is resolved once for all who want it, and remembered', async () => {
    const { resolver, asked } = await newResolver(() => ['192.0.2.1', '192.0.2.2']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => resolver.lookup('feeds.example')));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
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

  it('that nobody answers for fails in time, and the next time at once', async () => {
    const { resolver, asked } = await newResolver(() => 'silent');
    await expect(resolver.lookup('dead.example.')).rejects.toMatchObject(SILENT);
    const questions = asked.length;
    await expect(resolver.lookup('dead.example.')).rejects.toMatchObject(SILENT);
    expect(asked).toHaveLength(questions);
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
  it('leave room for others, for names that were good before and for the threads of the system', async () => {
    const { resolver } = await newResolver((name) => (name.includes('dead') ? 'silent' : ['127.0.0.1']));
    const site = await startSite((_, response) => response.end('fine'));
    const client = outgoingClient(db.database, { lookup: resolver.lookup, hostConcurrency: 5 });
    for (let n = 0; n < 10; n += 1) await client.get(site.url('/', `good${n}.example`));
    const dead = Array.from({ length: 200 }, (_, n) => client.get(`http://dead${n}.example/`).catch((error) => error));
    const good = await Promise.all(Array.from({ length: 10 }, (_, n) => client.get(site.url('/', `good${n}.example`))));
    expect(good.map((response) => response.text())).toEqual(new Array(10).fill('fine'));
    expect(await lookup('localhost')).toBeDefined();
    const codes = (await Promise.all(dead)).map(({ code }) => code);
    // Few are asked for at once. The others are told to come back, which costs them nothing.
    expect(codes.filter((code) => code === 'NETWORK_ERROR').length).toBeLessThan(40);
    expect(new Set(codes)).toEqual(new Set(['NETWORK_ERROR', 'HOST_BUSY']));
    expect(resolver.times.problem()).toBeUndefined();
  });

  it('of one domain are asked for a few at a time', async () => {
    const { resolver, asked } = await newResolver(() => 'silent');
    const all = Array.from({ length: 50 }, (_, n) => resolver.lookup(`n${n}.dead.example.`).catch(({ code }) => code));
    const codes = await Promise.all(all);
    expect(codes.filter((code) => code === 'EAI_AGAIN')).toHaveLength(4);
    expect(new Set(asked).size).toBe(4);
  });
});

describe('slow resolution', () => {
  const problemAfter = (lookups: { ms: number; isAnswered: boolean }[], agoMs = 0) => {
    const times = new ResolutionTimes();
    for (const lookup of lookups) times.add(lookup, Date.now() - agoMs);
    return times.problem();
  };
  const many = (count: number, ms: number, isAnswered = true) => new Array(count).fill({ ms, isAnswered });

  it('is told when half of the answers are slow, or none comes', () => {
    expect(problemAfter(many(20, 2_500))).toBe('is slow: half of the answers took more than 2.5 s in the last minute');
    expect(problemAfter(many(20, 5_000, false))).toBe(
      'does not work: none of 20 lookups was answered in the last minute',
    );
  });

  it('is not told of a few, of long ago, or of names that only others cannot answer for', () => {
    expect(problemAfter(many(9, 5_000, false))).toBeUndefined();
    expect(problemAfter(many(20, 2_500), 61_000)).toBeUndefined();
    expect(problemAfter([...many(100, 5_000, false), ...many(20, 30)])).toBeUndefined();
  });
});
