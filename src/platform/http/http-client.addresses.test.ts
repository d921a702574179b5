import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { outgoingClient } from '../../../test/harness/outgoing.js';
import { startSite } from '../../../test/harness/site.js';
import type { NameLookup } from './address-guard.js';
import { NameResolver } from './name-resolver.js';

const store = testDatabase();
const systemLookup = new NameResolver({ dnsServers: [] }).lookup;
const refused = (message: string) => ({ code: 'ADDRESS_REFUSED', message: expect.stringContaining(message) });
const answers =
  (...addresses: string[]): NameLookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('an address that is not the public internet', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:'],
    ['0x7f.1', 'http://0x7f.1:'],
    ['0177.0.0.1', 'leads to 127.0.0.1, a loopback address'],
    ['2130706433', 'leads to 127.0.0.1, a loopback address'],
    ['127.1.', 'leads to 127.0.0.1, a loopback address'],
    ['%31%32%37.0.0.1', 'leads to 127.0.0.1, a loopback address'],
    ['①②⑦.0.0.1', 'leads to 127.0.0.1, a loopback address'],
    ['user@127.0.0.1', 'leads to 127.0.0.1, a loopback address'],
    ['0', 'leads to 0.0.0.0, an unspecified address'],
    ['[::]', 'leads to ::, an unspecified address'],
    ['[::1]', 'leads to ::1, a loopback address'],
    ['[::ffff:10.0.0.1]', 'leads to ::ffff:a00:1, a private address'],
    ['[::ffff:127.0.0.1]', 'leads to ::ffff:7f00:1, a loopback address'],
    ['[64:ff9b::7f00:1]', 'leads to 64:ff9b::7f00:1, a loopback address'],
    ['localhost', 'http://localhost:'],
    ['localhost.', 'leads to 127.0.0.1, a loopback address'],
    ['LOCALHOST.', 'leads to 127.0.0.1, a loopback address'],
    ['feed.localhost', 'leads to 127.0.0.1, a loopback address'],
  ])('is refused when it is spelled %s', async (host, message) => {
    const site = await startSite((_, response) => response.end());
    const client = outgoingClient(store.database, { allowNetworks: [], lookup: systemLookup });
    await expect(client.get(site.url('/', host))).rejects.toMatchObject(refused(message));
    expect(site.connections).toBe(0);
  });

  it('is named together with the way to allow it', async () => {
    const client = outgoingClient(store.database, { allowNetworks: [] });
    await expect(client.get('http://0x7f.1/feed?token=secret')).rejects.toThrow(
      /^http:\/\/0x7f\.1 leads to 127\.0\.0\.1, a loopback address; list its network in MILLRACE_ALLOW_NETWORKS to allow it$/,
    );
  });

  it.each([
    ['10.0.0.1', ['10.0.0.1']],
    ['127.0.0.1', ['127.0.0.1']],
    ['::ffff:7f00:1', ['::ffff:7f00:1']],
    ['fe80::1%lo', ['fe80::1%lo']],
    ['10.0.0.1', ['1.1.1.1', '10.0.0.1']],
  ])('is refused when a name leads to %s', async (address, addresses) => {
    const site = await startSite((_, response) => response.end());
    const client = outgoingClient(store.database, { allowNetworks: [], lookup: answers(...addresses) });
    const failure = await client.get(site.url('/', 'feeds.example')).catch((error: Error) => error);
    expect(failure).toMatchObject(refused(`http://feeds.example:${site.port} leads to a`));
    expect(String(failure)).not.toContain(address);
    expect(site.connections).toBe(0);
  });

  it('is refused over https as well', async () => {
    const client = outgoingClient(store.database, { allowNetworks: [] });
    await expect(client.get('https://feeds.example/')).rejects.toMatchObject(refused('leads to a loopback address'));
    await expect(client.get('https://[::1]/')).rejects.toMatchObject(refused('leads to ::1'));
  });

  it.each(['http://169.254.169.254/latest/meta-data', 'http://inside.example/', '//0xa9fea9fe/'])(
    'is refused when a redirect leads to %s',
    async (location) => {
      const site = await startSite((_, response) => response.writeHead(302, { location }).end());
      const lookup: NameLookup = async (name) =>
        answers(name === 'site.example' ? '127.0.0.1' : '169.254.169.254')(name);
      const client = outgoingClient(store.database, { lookup });
      await expect(client.get(site.url())).rejects.toMatchObject(refused('a link-local address; list its network'));
      await expect(client.get(site.url())).rejects.toThrow(`(where http://site.example:${site.port} redirects)`);
    },
  );
});

describe('a name that changes its address', () => {
  it('to loopback after somebody saw it public is refused when it is connected to', async () => {
    const site = await startSite((_, response) => response.end());
    const turns = ['1.1.1.1', '127.0.0.1'];
    const lookup: NameLookup = async (name) => answers(turns.shift() ?? '127.0.0.1')(name);
    const client = outgoingClient(store.database, { allowNetworks: [], lookup });
    expect(await lookup('rebind.example')).toEqual([{ address: '1.1.1.1', family: 4 }]);
    await expect(client.get(site.url('/', 'rebind.example'))).rejects.toMatchObject(
      refused('leads to a loopback address'),
    );
    expect(site.connections).toBe(0);
  });

  it('is looked up once for each connection, and that answer is both checked and used', async () => {
    const site = await startSite((_, response) => response.setHeader('connection', 'close').end('first'));
    const turns = ['127.0.0.1', '10.0.0.1'];
    const lookup: NameLookup = async (name) => answers(turns.shift() ?? '10.0.0.1')(name);
    const client = outgoingClient(store.database, { lookup });
    expect((await client.get(site.url('/', 'rebind.example'))).text()).toBe('first');
    expect(turns).toEqual(['10.0.0.1']);
    await expect(client.get(site.url('/', 'rebind.example'))).rejects.toMatchObject(
      refused('leads to a private address'),
    );
    expect(site.connections).toBe(1);
  });
});

describe('a network that the operator allows', () => {
  it('is reached by literal, by name and in its mapped form', async () => {
    const site = await startSite((_, response) => response.end('inside'));
    const client = outgoingClient(store.database, { allowNetworks: ['127.0.0.0/8'] });
    for (const host of ['127.0.0.1', '0x7f.1', 'feeds.example', 'localhost.', '[::ffff:127.0.0.1]']) {
      expect((await client.get(site.url('/', host))).text()).toBe('inside');
    }
  });

  it('opens nothing else', async () => {
    const client = outgoingClient(store.database, { allowNetworks: ['127.0.0.0/8'] });
    await expect(client.get('http://10.0.0.1/')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    await expect(client.get('http://[::1]/')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
  });
});

describe('an address that is only checked', () => {
  it.each(['http://127.0.0.1/', 'http://2130706433/', 'https://[::1]/', 'http://LOCALHOST./', 'http://a.localhost/'])(
    'is refused when it is spelled %s',
    (url) => {
      const client = outgoingClient(store.database, { allowNetworks: [] });
      expect(() => client.checkAddress(url)).toThrow(expect.objectContaining({ code: 'ADDRESS_REFUSED' }));
    },
  );

  it('is not looked up', () => {
    const lookup: NameLookup = () => Promise.reject(new Error('asked'));
    const client = outgoingClient(store.database, { allowNetworks: ['127.0.0.0/8'], lookup });
    for (const url of ['http://feeds.example/', 'http://127.0.0.1/', 'http://localhost/']) client.checkAddress(url);
  });

  it('must be one', () => {
    const client = outgoingClient(store.database);
    expect(() => client.checkAddress('ftp://feeds.example/')).toThrow(expect.objectContaining({ code: 'INVALID_URL' }));
  });
});

describe('a port of another protocol', () => {
  it.each([0, 22, 25, 110, 143, 465, 587, 6000, 6667, 10080])('such as %i is refused', async (port) => {
    const client = outgoingClient(store.database);
    const message = `http://feeds.example:${port} has a port that is not for web servers (${port}); list it in MILLRACE_ALLOW_PORTS`;
    await expect(client.get(`http://feeds.example:${port}/`)).rejects.toMatchObject(refused(message));
    expect(() => client.checkAddress(`http://feeds.example:${port}/`)).toThrow(message);
  });

  it('is refused where a redirect leads to it', async () => {
    const site = await startSite((_, response) => response.writeHead(302, { location: 'http://x.example:25/' }).end());
    await expect(outgoingClient(store.database).get(site.url())).rejects.toMatchObject(refused('(25)'));
  });

  it('is taken if the operator allows it', async () => {
    const client = outgoingClient(store.database, { allowPorts: [6667] });
    await expect(client.get('http://feeds.example:6667/')).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });
});
