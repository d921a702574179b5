import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Machine, PYTHON_MODULES, SERVICES, type Service } from './server-choice.js';

// Debian's rabbitmq-server on the PATH changes to the user rabbitmq, who cannot enter our folders. This one does not.
const PROGRAMS: Record<Service, readonly string[]> = {
  redis: ['redis-server'],
  rabbitmq: ['/usr/lib/rabbitmq/bin/rabbitmq-server', 'rabbitmq-server'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
  chromedriver: ['chromedriver'],
  // Only Debian's interpreter finds Debian's packages.
  python: ['/usr/bin/python3', 'python3', 'python'],
  prometheus: ['prometheus'],
  sfeed: ['sfeed_update'],
  newsboat: ['newsboat'],
  // A library for LD_PRELOAD, in its version for programs with threads.
  faketime: ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`),
};

export function thisMachine(): Machine {
  return {
    given: (service) => process.env[SERVICES[service].variable] || undefined,
    installed: (service) =>
      findPrograms([...chosenPrograms(service), ...PROGRAMS[service]]).find(
        (program) => service !== 'python' || hasModules(program),
      ),
    debianAsRoot: process.getuid?.() === 0 && existsSync('/etc/debian_version') && findPrograms(['apt-get']).length > 0,
    dockerWorks: () => spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0,
  };
}

/** `npm run test:matrix` sets the variable, because the installed RabbitMQ comes before all that are on the PATH. */
function chosenPrograms(service: Service): string[] {
  const program = service === 'rabbitmq' ? process.env.TEST_RABBITMQ_PROGRAM : undefined;
  return program ? [program] : [];
}

function findPrograms(names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const ending = process.platform === 'win32' ? '.exe' : '';
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, `${name}${ending}`))))
    .filter((path) => existsSync(path));
}

function hasModules(python: string): boolean {
  const program = `import ${PYTHON_MODULES.join(', ')}`;
  return spawnSync(python, ['-c', program], { stdio: 'ignore', timeout: 60_000 }).status === 0;
}
