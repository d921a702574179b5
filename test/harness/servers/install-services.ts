import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { thisMachine } from './machine.js';
import {
  type Machine,
  SERVICES,
  type Service,
  wayToGet,
  whatToInstall,
  whyNoChromedriver,
  whyNoFaketime,
  whyNoNewsboat,
  whyNoPrometheus,
  whyNoPython,
} from './server-choice.js';

/** Debian runs this program to ask whether a package may start its service. */
const POLICY = '/usr/sbin/policy-rc.d';

export interface RequestedServices {
  /** The beginning of the message about missing services, such as "The tests need". */
  who: string;
  required: readonly Service[];
  /** The services that may be missing, each with the sentence that reports it. */
  optional: Partial<Record<Service, string>>;
}

export const TEST_SERVICES: RequestedServices = {
  who: 'The tests need',
  required: ['redis', 'rabbitmq', 'chromium'],
  optional: {
    python: `Skipping the tests of the Python workers: ${whyNoPython()}.`,
    chromedriver: `Skipping the tests of the browser of the Python workers: ${whyNoChromedriver()}.`,
    prometheus: `Skipping the tests of dashboards and alert rules: ${whyNoPrometheus()}.`,
    newsboat: `Skipping the tests with newsboat: ${whyNoNewsboat()}.`,
    faketime: `Skipping the test with different clocks: ${whyNoFaketime()}.`,
  },
};

/**
 * Installs services from Debian's packages if run by root, otherwise with Docker. Returns one sentence about the
 * required services that are not available, or nothing if all are. A missing optional service is reported on stderr.
 */
export function installServices(
  { who, required, optional }: RequestedServices,
  machine: Machine = thisMachine(),
): string | undefined {
  const ways = required.map((service) => ({ service, way: wayToGet(service, machine) }));
  const going = (wanted: string) => ways.filter(({ way }) => way === wanted).map(({ service }) => service);

  if (going('missing').length > 0) return whatToInstall(who, going('missing'));
  for (const service of going('docker')) {
    const { image } = SERVICES[service];
    if (image && !pullImage(image)) return `Could not fetch the Docker image ${image}.`;
  }
  const packages = going('apt').flatMap((service) => SERVICES[service].packages);
  if (packages.length > 0 && !installPackages(packages)) return whatToInstall(who, going('apt'));
  for (const [service, report] of Object.entries(optional) as [Service, string][]) {
    if (!installOptional(service, machine)) process.stderr.write(`${report}\n`);
  }
  return undefined;
}

function installOptional(service: Service, machine: Machine): boolean {
  const way = wayToGet(service, machine);
  return way === 'apt' ? installPackages(SERVICES[service].packages) : way !== 'missing';
}

function installPackages(packages: readonly string[]): boolean {
  process.stderr.write(`Installing ${packages.join(', ')} with apt-get …\n`);
  const allowServices = forbidServices();
  try {
    return apt('update') && apt('install', '--yes', '--no-install-recommends', ...packages);
  } finally {
    allowServices();
  }
}

/** Tests and benchmarks run their own servers, so packages must not start one for the whole system. */
function forbidServices(): () => void {
  if (existsSync(POLICY)) return () => {};
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  return () => rmSync(POLICY);
}

function apt(...args: string[]): boolean {
  const { status } = spawnSync('apt-get', ['--quiet=2', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
}

function pullImage(image: string): boolean {
  if (spawnSync('docker', ['image', 'inspect', image], { stdio: 'ignore' }).status === 0) return true;
  process.stderr.write(`Fetching the Docker image ${image} …\n`);
  const { status } = spawnSync('docker', ['pull', '--quiet', image], { stdio: ['ignore', 'ignore', 'inherit'] });
  return status === 0;
}
