// Unpacks programs of another Debian release, with all libraries that they need, into a folder where they run beside
// those of this system. It changes nothing of the system and needs no root.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Why programs of a release cannot be had, in one sentence without its full stop. */
export class NotAvailable extends Error {}

/** Returns the folder that a package and all that it depends on were unpacked to, and the version of the package. */
export function unpackFromDebian({ suite, name, cache }) {
  const folder = join(cache, `${suite}-${name}`);
  const root = join(folder, 'root');
  const complete = join(folder, 'version');
  if (existsSync(complete)) return { root, version: readFileSync(complete, 'utf8') };

  const archive = debianArchive();
  rmSync(folder, { recursive: true, force: true });
  const archives = download(folder, `deb [signed-by=${KEYRING}] ${archive} ${suite} main`, name);
  mkdirSync(root);
  for (const file of archives) run('dpkg-deb', ['-x', file, root]);
  const version = run('dpkg-deb', ['-f', archives.find((file) => file.includes(`/${name}_`)), 'Version']);
  runWithOwnLibraries(root);
  rmSync(join(folder, 'apt'), { recursive: true });
  const upstream = version.replace(/^\d+:/, '').replace(/[+~-].*$/, '');
  writeFileSync(complete, upstream);
  return { root, version: upstream };
}

/** The address of the archive that apt uses for the release of this system. */
function debianArchive() {
  if (!existsSync('/etc/debian_version')) throw new NotAvailable('this system is not Debian');
  const format = '$(ORIGIN) $(CODENAME) $(REPO_URI)';
  const targets = run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages']).split('\n');
  const [, codename] = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  const own = targets.map((line) => line.split(' ')).find(([origin, name]) => origin === 'Debian' && name === codename);
  if (!own) throw new NotAvailable(`apt knows no archive of Debian ${codename}`);
  return own[2];
}

/** Uses a state of apt that is separate from the system's: no package counts as installed, so all are downloaded. */
function download(folder, source, name) {
  const apt = join(folder, 'apt');
  for (const below of ['lists/partial', 'archives/partial']) mkdirSync(join(apt, below), { recursive: true });
  writeFileSync(join(apt, 'status'), '');
  writeFileSync(join(apt, 'sources.list'), `${source}\n`);
  const options = {
    'Dir::Etc::sourcelist': join(apt, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Dir::State::lists': join(apt, 'lists'),
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': apt,
    'Dir::Cache::archives': join(apt, 'archives'),
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': '',
    'Debug::NoLocking': '1',
  };
  const args = Object.entries(options).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
  process.stderr.write(`Fetching ${name} …\n`);
  run('apt-get', ['--quiet=2', ...args, 'update']);
  // patchelf changes the programs so that they load the libraries of their own release.
  run('apt-get', ['--quiet=2', ...args, '--download-only', '--yes', 'install', name, 'patchelf']);
  const archives = join(apt, 'archives');
  return readdirSync(archives)
    .filter((file) => file.endsWith('.deb'))
    .map((file) => join(archives, file));
}

/** Programs name their loader by its full path, which would be that of this system with its older libraries. */
function runWithOwnLibraries(root) {
  const files = filesBelow(join(root, 'usr'));
  const loader = files.find((file) => /\/ld-linux[^/]*\.so\.\d+$/.test(file));
  const libraries = join(
    root,
    'usr/lib',
    readdirSync(join(root, 'usr/lib')).find((name) => /-linux-gnu/.test(name)),
  );
  const patchelf = ['--library-path', libraries, join(root, 'usr/bin/patchelf')];
  for (const file of files.filter((path) => isProgram(path) && !path.endsWith('/patchelf'))) {
    if (spawnSync(loader, [...patchelf, '--print-interpreter', file], { stdio: 'ignore' }).status !== 0) continue;
    const { mode } = statSync(file);
    const settings = ['--set-interpreter', loader, '--force-rpath', '--set-rpath', libraries];
    run(loader, [...patchelf, ...settings, '--output', `${file}.new`, file]);
    renameSync(`${file}.new`, file);
    chmodSync(file, mode);
  }
  for (const file of files.filter((path) => path.endsWith('/bin/erl'))) {
    const script = readFileSync(file, 'utf8');
    writeFileSync(file, script.replaceAll('ROOTDIR=/usr/lib/erlang', `ROOTDIR=${join(root, 'usr/lib/erlang')}`));
  }
}

function isProgram(file) {
  const isExecutable = (statSync(file).mode & 0o111) !== 0;
  return isExecutable && readFileSync(file).subarray(0, 4).toString('latin1') === '\x7fELF';
}

/** Without symbolic links, which may point to files of this system. */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status === 0) return stdout.trim();
  // The address of an archive may be private, and it says nothing about what is wrong.
  const reason = (error?.message ?? stderr.trim().split('\n')[0] ?? '').replaceAll(/\w+:\/\/\S+/g, 'the archive');
  throw new NotAvailable(`${command} failed (${reason})`);
}
