import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP, isIPv4 } from 'node:net';

/** The files are read again after this many milliseconds, because containers may change them at any time. */
const FRESH_MS = 5_000;
/** Further search domains are ignored, as by the system's resolver. */
const MAX_SEARCH_DOMAINS = 6;

const LOCALHOST: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

interface Files {
  hosts: Map<string, LookupAddress[]>;
  search: string[];
}

export class LocalNames {
  private read: { at: number; files: Promise<Files> } | undefined;

  constructor(private readonly paths = { hosts: '/etc/hosts', resolvConf: '/etc/resolv.conf' }) {}

  async addressesOf(name: string): Promise<LookupAddress[] | undefined> {
    const { hosts } = await this.files();
    return hosts.get(name.replace(/\.$/, '')) ?? (name === 'localhost' ? LOCALHOST : undefined);
  }

  /** Search domains come first for a name without a dot, and are not used for one that ends with a dot. */
  async candidatesFor(name: string): Promise<string[]> {
    if (name.endsWith('.')) return [name.slice(0, -1)];
    const { search } = await this.files();
    const completed = search.map((domain) => `${name}.${domain}`);
    return name.includes('.') ? [name, ...completed] : [...completed, name];
  }

  private files(): Promise<Files> {
    const now = Date.now();
    if (!this.read || now - this.read.at > FRESH_MS) this.read = { at: now, files: this.readFiles() };
    return this.read.files;
  }

  private async readFiles(): Promise<Files> {
    const [hosts, resolvConf] = await Promise.all([textOf(this.paths.hosts), textOf(this.paths.resolvConf)]);
    return { hosts: parseHosts(hosts), search: parseSearch(resolvConf) };
  }
}

const textOf = (path: string) => readFile(path, 'utf8').catch(() => '');

function parseHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!isIP(address)) continue;
    for (const name of names.map((given) => given.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family: isIPv4(address) ? 4 : 6 }]);
    }
  }
  return hosts;
}

/** The last line of its kind counts. */
function parseSearch(text: string): string[] {
  const lines = text.split('\n').filter((line) => /^\s*(search|domain)\s/.test(line));
  const [, ...domains] = lines.at(-1)?.trim().split(/\s+/) ?? [];
  return domains
    .map((domain) => domain.replace(/\.$/, '').toLowerCase())
    .filter(Boolean)
    .slice(0, MAX_SEARCH_DOMAINS);
}
