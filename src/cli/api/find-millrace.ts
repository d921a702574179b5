import { canParseUrl } from '../../platform/can-parse-url.js';
import { type ClientConfig, loadClientConfig } from '../../platform/config.js';
import { readAdminKey } from '../../platform/data-folder/data-folder.js';
import { announcedAddress } from '../../platform/data-folder/hold-data-folder.js';
import { UsageError } from '../command.js';
import { Unreachable } from './api-error.js';

interface Given {
  url: string | undefined;
  key: string | undefined;
}

/** Returns the address of Millrace and a key: as given, or those of the server that uses the data folder. */
export async function findMillrace(
  given: Given,
  environment?: NodeJS.ProcessEnv,
): Promise<{ url: string; key: string }> {
  const config = loadClientConfig(environment);
  const local = await localAddress(config);
  const url = normalised(given.url ?? config.url) ?? local;
  const key = given.key ?? config.key ?? (url === local ? await localKey(config) : undefined);
  if (key === undefined) throw url === local ? neverStarted(config) : keyIsMissing(url);
  return { url, key };
}

function normalised(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (!canParseUrl(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url must be an address such as http://127.0.0.1:3000, not \`${url}\`.`);
  return new URL(url).href.replace(/\/+$/, '');
}

/** A process with external servers does not lock the data folder. Then the configuration gives its address. */
async function localAddress({ dataDir, host, port }: ClientConfig): Promise<string> {
  const name = host.includes(':') ? `[${host}]` : host;
  const reachable = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[name] ?? name;
  return (await announcedAddress(dataDir)) ?? `http://${reachable}:${port}`;
}

/** This key is never sent to another address, where somebody else could use it. */
async function localKey({ adminKey, dataDir }: ClientConfig): Promise<string | undefined> {
  return adminKey ?? (await readAdminKey(dataDir));
}

const keyIsMissing = (url: string) => new UsageError(`No key for ${url}. Set one with --key or MILLRACE_KEY.`);

const neverStarted = ({ dataDir }: ClientConfig) =>
  new Unreachable(
    `The data folder ${dataDir} has no key, so Millrace has not been started there. Start it with \`npm start\`, or set its address with --url or MILLRACE_URL and its key with --key or MILLRACE_KEY.`,
  );
