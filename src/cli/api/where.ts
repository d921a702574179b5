import { canParseUrl } from '../../platform/can-parse-url.js';
import { type ClientConfig, loadClientConfig } from '../../platform/config.js';
import { readAdminKey } from '../../platform/data-folder/data-folder.js';
import { announcedAddress } from '../../platform/data-folder/hold-data-folder.js';
import { UsageError } from '../command.js';
import { Unreachable } from './api-error.js';

export interface Whereabouts {
  /** Without a slash at its end. */
  url: string;
  key: string;
}

interface Wanted {
  url: string | undefined;
  key: string | undefined;
}

/** Where Millrace is, and the key for it: as told, or of the one that runs on the data folder. */
export async function findMillrace(wanted: Wanted, environment?: NodeJS.ProcessEnv): Promise<Whereabouts> {
  const config = loadClientConfig(environment);
  const local = await localAddress(config);
  const url = toldAddress(wanted.url ?? config.url) ?? local;
  const key = wanted.key ?? config.key ?? (url === local ? await localKey(config) : undefined);
  if (key === undefined) throw url === local ? neverStarted(config) : keyIsMissing(url);
  return { url, key };
}

function toldAddress(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (!canParseUrl(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url takes an address such as http://127.0.0.1:3000, not ${url}`);
  return new URL(url).href.replace(/\/+$/, '');
}

/** A process on servers of its own does not hold the folder; then the configuration says where it listens. */
async function localAddress({ dataDir, host, port }: ClientConfig): Promise<string> {
  const name = host.includes(':') ? `[${host}]` : host;
  const reachable = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[name] ?? name;
  return (await announcedAddress(dataDir)) ?? `http://${reachable}:${port}`;
}

/** Never shown to another address: who listens there could use it. */
async function localKey({ adminKey, dataDir }: ClientConfig): Promise<string | undefined> {
  return adminKey ?? (await readAdminKey(dataDir));
}

const keyIsMissing = (url: string) => new UsageError(`there is no key for ${url}: give one with --key or MILLRACE_KEY`);

const neverStarted = ({ dataDir }: ClientConfig) =>
  new Unreachable(
    `there is no key in the data folder ${dataDir}: Millrace has not been started there. Start it with \`npm start\`, or say where it is with --url or MILLRACE_URL, and give its key with --key or MILLRACE_KEY`,
  );
