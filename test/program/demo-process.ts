import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataFolder } from '../harness/data-folder.js';
import { type Environment, MillraceProcess, ROOT } from './millrace-process.js';

type Keep = (end: () => Promise<void>) => void;

/** Starts the demo as a user does, in its own folder. `keep` receives what ends it and what removes the folder. */
export function startDemo(keep: Keep, given: Environment = {}) {
  const home = mkdtempSync(join(tmpdir(), 'millrace-demo-'));
  // The user of the database must be able to enter it.
  chmodSync(home, 0o755);
  const dataDir = join(home, 'data-demo');
  keep(async () => {
    await removeDataFolder(dataDir);
    await rm(home, { recursive: true });
  });
  const environment = {
    PORT: '0',
    RABBITMQ_URL: '',
    MILLRACE_ICONS: 'on',
    // The demo ignores the settings of a real Millrace.
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/real',
    MILLRACE_DATA_DIR: ROOT,
    ...given,
  };
  const program: [string, string] = [process.execPath, `${ROOT}/dist/demo-program/demo-millrace.js`];
  const demo = new MillraceProcess(program, environment, { cwd: home, keep });
  return { demo, home, dataDir };
}

/** The address of the demo and the key to it. */
export async function entranceOf(demo: MillraceProcess): Promise<{ address: string; key: string }> {
  return { address: await demo.address(), key: await demo.adminKey() };
}
