import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../../src/platform/database/embedded/free-port.js';
import { containerServer } from './container-server.js';
import type { PrivateServer } from './private-server.js';
import { processServer } from './process-server.js';
import { readyServer } from './ready-server.js';
import { SERVICES } from './server-choice.js';

/** Created while the server starts, which takes 0.1 s each. Later `rabbitmqctl` would take a second or two. */
export const VIRTUAL_HOSTS = Array.from({ length: 32 }, (_, number) => `test-${number}`);

/** A second user of the server, whose password occurs nowhere else. */
export const MARKED_USER = { name: 'marked', password: 'marked-RabbitMQ-password-b7c1f2' };

export interface RabbitmqPlace {
  /** Path of the installed server. Without it the server runs in Docker. */
  readonly program?: string | undefined;
  readonly folder: string;
  readonly port: number;
  /** Port of the management API. Without it the plugin is off. */
  readonly managementPort?: number | undefined;
}

/** Returns a server that is not started yet. */
export async function rabbitmqServer(place: RabbitmqPlace): Promise<PrivateServer> {
  const { program, folder, port, managementPort } = place;
  writeFileSync(join(folder, 'definitions.json'), JSON.stringify(definitions()));
  if (managementPort) writeFileSync(join(folder, 'enabled_plugins'), '[rabbitmq_management].\n');
  const server = program ? await installedRabbitmq(program, place) : rabbitmqContainer(place);
  // The header of the protocol. The answer is a method frame, type 1, on channel 0.
  return readyServer(server, { port, say: 'AMQP\0\0\x09\x01', hear: '\x01\0\0' });
}

async function installedRabbitmq(program: string, place: RabbitmqPlace): Promise<PrivateServer> {
  const { folder, port, managementPort } = place;
  const nameServicePort = await findFreePort();
  const management = managementPort ? ['management.tcp.ip = 127.0.0.1', `management.tcp.port = ${managementPort}`] : [];
  writeConfiguration(folder, `127.0.0.1:${port}`, [
    `load_definitions = ${join(folder, 'definitions.json')}`,
    ...management,
  ]);
  // Runs its own epmd in the foreground, because the one that Erlang starts would stay behind as a daemon.
  const nameService = ['-port', `${nameServicePort}`, '-address', '127.0.0.1'];
  await processServer({ folder, name: 'epmd', command: 'epmd', args: nameService }).start();
  const env = await rabbitmqEnvironment(folder, port, nameServicePort);
  return processServer({ folder, name: 'rabbitmq', command: program, args: [], env });
}

async function rabbitmqEnvironment(folder: string, port: number, nameServicePort: number): Promise<NodeJS.ProcessEnv> {
  const home = join(folder, 'home');
  mkdirSync(home);
  return {
    PATH: process.env.PATH,
    HOME: home,
    ERL_EPMD_PORT: `${nameServicePort}`,
    RABBITMQ_NODENAME: `millrace-test-${port}@localhost`,
    RABBITMQ_DIST_PORT: `${await findFreePort()}`,
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    // Ignores the configuration of a server of the system.
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    RABBITMQ_CONFIG_FILES: join(folder, 'none'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'none'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, 'own-pid'),
    // Makes the start script exec the server, so that the pid is the server's.
    RABBITMQ_ALLOW_INPUT: 'yes',
    RABBITMQ_SERVER_START_ARGS: '-noinput',
  };
}

function rabbitmqContainer({ folder, port, managementPort }: RabbitmqPlace): PrivateServer {
  writeConfiguration(folder, '5672', ['load_definitions = /definitions.json']);
  const mount = (file: string, inside: string) => ['--volume', `${join(folder, file)}:${inside}:ro`];
  return containerServer({
    folder,
    image: SERVICES.rabbitmq.image,
    port,
    portInside: 5672,
    options: [
      ...mount('rabbitmq.conf', '/etc/rabbitmq/rabbitmq.conf'),
      ...mount('definitions.json', '/definitions.json'),
      ...(managementPort
        ? [
            ...mount('enabled_plugins', '/etc/rabbitmq/enabled_plugins'),
            '--publish',
            `127.0.0.1:${managementPort}:15672`,
          ]
        : []),
    ],
  });
}

function writeConfiguration(folder: string, listener: string, more: string[]): void {
  const lines = [
    `listeners.tcp.1 = ${listener}`,
    ...more,
    'loopback_users = none',
    'log.console.level = warning',
    // A nearly full disk would make the server block every publisher.
    'disk_free_limit.absolute = 1MB',
  ];
  writeFileSync(join(folder, 'rabbitmq.conf'), `${lines.join('\n')}\n`);
}

function definitions() {
  return {
    users: [
      { name: 'guest', password: 'guest', tags: ['administrator'] },
      { ...MARKED_USER, tags: [] },
    ],
    vhosts: VIRTUAL_HOSTS.map((name) => ({ name })),
    permissions: VIRTUAL_HOSTS.flatMap((vhost) =>
      ['guest', MARKED_USER.name].map((user) => ({ user, vhost, configure: '.*', write: '.*', read: '.*' })),
    ),
  };
}
