// Installs the services that the tests need, from Debian's packages if run by root, otherwise with Docker.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { giveUp, root } from './prepare.mjs';

/** Debian runs this program to ask whether a package may start its service. */
const POLICY = '/usr/sbin/policy-rc.d';

/** The tests must be built. Ends the process with a message if a service that many tests need is not available. */
export async function installServices() {
  const { SERVICES, wayToGet, whatToInstall, whyNoFaketime, whyNoPrometheus, whyNoPython, whyNoSfeed } =
    await importFromHarness('server-choice.js');
  const { thisMachine } = await importFromHarness('machine.js');
  const machine = thisMachine();
  const ways = neededServices().map((service) => ({ service, way: wayToGet(service, machine) }));
  const going = (wanted) => ways.filter(({ way }) => way === wanted).map(({ service }) => service);

  if (going('missing').length > 0) giveUp(whatToInstall(going('missing')));
  for (const service of going('docker')) pullImage(SERVICES[service].image);
  const packages = going('apt').flatMap((service) => SERVICES[service].packages);
  if (packages.length > 0 && !installPackages(packages)) giveUp(whatToInstall(going('apt')));
  if (!installOptional(wayToGet('python', machine), SERVICES.python.packages))
    process.stderr.write(`Skipping the tests of the Python workers: ${whyNoPython()}.\n`);
  if (!installOptional(wayToGet('prometheus', machine), SERVICES.prometheus.packages))
    process.stderr.write(`Skipping the tests of dashboards and alert rules: ${whyNoPrometheus()}.\n`);
  if (!installOptional(wayToGet('sfeed', machine), SERVICES.sfeed.packages))
    process.stderr.write(`The fetch benchmark will run without sfeed: ${whyNoSfeed()}.\n`);
  if (!installOptional(wayToGet('faketime', machine), SERVICES.faketime.packages))
    process.stderr.write(`Skipping the test with different clocks: ${whyNoFaketime()}.\n`);
}

function installOptional(way, packages) {
  return way === 'apt' ? installPackages(packages) : way !== 'missing';
}

function importFromHarness(file) {
  return import(pathToFileURL(join(root, 'dist', 'test', 'harness', 'servers', file)).href);
}

function neededServices() {
  const browserTests = existsSync(join(root, 'test', 'browser'));
  return browserTests ? ['redis', 'rabbitmq', 'chromium'] : ['redis', 'rabbitmq'];
}

function installPackages(packages) {
  process.stderr.write(`Installing ${packages.join(', ')} with apt-get, for the tests …\n`);
  const allowServices = forbidServices();
  try {
    return apt('update') && apt('install', '--yes', '--no-install-recommends', ...packages);
  } finally {
    allowServices();
  }
}

/** The tests run their own servers, so packages must not start one for the whole system. */
function forbidServices() {
  if (existsSync(POLICY)) return () => {};
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  return () => rmSync(POLICY);
}

function apt(...args) {
  const { status } = spawnSync('apt-get', ['--quiet=2', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
}

function pullImage(image) {
  if (spawnSync('docker', ['image', 'inspect', image], { stdio: 'ignore' }).status === 0) return;
  process.stderr.write(`Fetching the Docker image ${image}, for the tests …\n`);
  const { status } = spawnSync('docker', ['pull', '--quiet', image], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) giveUp(`Could not fetch the Docker image ${image}.`);
}
