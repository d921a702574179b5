import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartupError } from '../../errors/startup-error.js';
import { SUPERUSER } from './cluster-record.js';
import type { Installation } from './installation.js';
import { runAs, type ServerUser } from './server-user.js';

interface NewCluster {
  readonly installation: Installation;
  readonly user: ServerUser;
  readonly password: string;
}

/** Makes the cluster in a folder beside its place and moves it there when it is complete. */
export async function createCluster(cluster: string, { installation, user, password }: NewCluster): Promise<void> {
  await mkdir(dirname(cluster), { recursive: true });
  await removeUnfinished(cluster);
  const draft = `${draftPrefix(cluster)}${process.pid}`;
  const passwordFile = join(draft, 'password');
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
  const { ids } = user;
  if (ids) await Promise.all([draft, passwordFile].map((path) => chown(path, ids.uid, ids.gid)));
  try {
    await runAs(user, [installation.initdb, ...initdbOptions(join(draft, 'cluster'), passwordFile)]);
    await rename(join(draft, 'cluster'), cluster);
  } catch (error) {
    throw new StartupError(`cannot make the database in ${cluster}: ${(error as Error).message}`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function initdbOptions(folder: string, passwordFile: string): string[] {
  return [
    ...['-D', folder, '--username', SUPERUSER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    // Built in, so that it does not matter which languages the system knows, nor in which version.
    ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    '--no-instructions',
  ];
}

/** What a start that was killed left over. A program it had running may still write there, hence the retries. */
async function removeUnfinished(cluster: string): Promise<void> {
  const names = await readdir(dirname(cluster));
  const unfinished = names.filter((name) => name.startsWith(basename(draftPrefix(cluster))));
  for (const name of unfinished) {
    await rm(join(dirname(cluster), name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function draftPrefix(cluster: string): string {
  return `${cluster}.unfinished-`;
}
