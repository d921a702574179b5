import type { PrivateServer } from './private-server.js';
import { processServer } from './process-server.js';
import { readyServer } from './ready-server.js';

export interface PrometheusPlace {
  readonly program: string;
  readonly folder: string;
  readonly port: number;
  readonly configFile: string;
}

/** Returns a server that is not started yet. */
export function prometheusServer({ program, folder, port, configFile }: PrometheusPlace): PrivateServer {
  const args = [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ];
  const server = processServer({ folder, name: 'prometheus', command: program, args });
  return readyServer(server, { port, say: 'GET /-/ready HTTP/1.0\r\n\r\n', hear: 'HTTP/1.0 200' });
}
