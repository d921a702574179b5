import { containerServer } from './container-server.js';
import type { PrivateServer } from './private-server.js';
import { processServer } from './process-server.js';
import { readyServer } from './ready-server.js';
import { SERVICES, type Way } from './server-choice.js';

/** Logical databases. There are more of them than test files that run at the same time. */
export const REDIS_DATABASES = 512;

// Appends each write to its file, so that a killed server keeps its data.
const SETTINGS = ['--databases', `${REDIS_DATABASES}`, '--save', '', '--appendonly', 'yes', '--appendfsync', 'no'];

export interface RedisPlace {
  readonly way: Way;
  readonly folder: string;
  readonly port: number;
}

export function redisServer({ way, folder, port }: RedisPlace): PrivateServer {
  const server =
    way === 'docker'
      ? containerServer({ folder, image: SERVICES.redis.image, port, portInside: 6379, args: SETTINGS })
      : processServer({
          folder,
          name: 'redis',
          command: 'redis-server',
          args: ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', folder, ...SETTINGS],
        });
  return readyServer(server, { port, say: 'PING\r\n', hear: '+PONG' });
}
