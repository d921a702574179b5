import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Machine, SERVICES, type Service } from './server-choice.js';

// Debian's rabbitmq-server on the PATH changes to the user rabbitmq, who may not enter our folders; this one does not.
const PROGRAMS: Record<Service, readonly string[]> = {
  redis: ['redis-server'],
  rabbitmq: ['/usr/lib/rabbitmq/bin/rabbitmq-server', 'rabbitmq-server'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
};

export function thisMachine(): Machine {
  return {
    given: (service) => process.env[SERVICES[service].variable] || undefined,
    installed: (service) => findProgram(PROGRAMS[service]),
    debianAsRoot:
      process.getuid?.() === 0 && existsSync('/etc/debian_version') && findProgram(['apt-get']) !== undefined,
    dockerWorks: () => spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0,
  };
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => (name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name))))
    .find((path) => existsSync(path));
}
