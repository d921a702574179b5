import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PrivateServer } from './private-server.js';

export interface ContainerToRun {
  /** Contains a file with the container's name, by which the watchdog finds it. */
  readonly folder: string;
  readonly image: string;
  /** Port on 127.0.0.1. */
  readonly port: number;
  readonly portInside: number;
  readonly options?: readonly string[];
  readonly args?: readonly string[];
}

const run = promisify(execFile);

export function containerServer(container: ContainerToRun): PrivateServer {
  const name = `millrace-test-${randomBytes(6).toString('hex')}`;
  let created = false;
  const isRunning = async () => {
    const { stdout } = await run('docker', ['inspect', '--format', '{{.State.Running}}', name]);
    return stdout.trim() === 'true';
  };

  return {
    async start() {
      if (created) await run('docker', ['start', name]);
      else {
        writeFileSync(join(container.folder, 'name.container'), `${name}\n`);
        await run('docker', dockerRun(name, container));
        created = true;
      }
    },
    async kill() {
      if (await isRunning()) await run('docker', ['kill', name]);
    },
    freeze: async () => void (await run('docker', ['pause', name])),
    thaw: async () => void (await run('docker', ['unpause', name])),
    isRunning,
    async lastWords() {
      const { stdout, stderr } = await run('docker', ['logs', '--tail', '30', name]);
      return stdout + stderr;
    },
  };
}

function dockerRun(name: string, { image, port, portInside, options = [], args = [] }: ContainerToRun): string[] {
  return [
    'run',
    '--detach',
    '--name',
    name,
    '--publish',
    `127.0.0.1:${port}:${portInside}`,
    ...options,
    image,
    ...args,
  ];
}
