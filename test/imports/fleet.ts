import { setTimeout as sleep } from 'node:timers/promises';
import { newDataFolder } from '../harness/data-folder.js';
import { ask } from '../program/api-client.js';
import { type Environment, type MillraceProcess, startMillrace } from '../program/millrace-process.js';

const KEY = 'an-admin-key-for-this-fleet-only';
const ROLES = ['api,scheduler', 'worker', 'worker'];
const FRONT = 0;
/** Maximum time in milliseconds for a killed API process to be back. */
const AWAY_MS = 60_000;

/** One API process and two workers. Each may be killed and is started again. */
export class Fleet {
  private readonly dataDirs = ROLES.map(() => newDataFolder());
  private readonly processes: MillraceProcess[];

  constructor(private readonly environment: Environment) {
    this.processes = ROLES.map((_, at) => this.start(at));
  }

  /** Resolves when all have started. */
  async ready(): Promise<void> {
    await Promise.all(this.processes.map((each, at) => each.printed(isUp(at))));
  }

  /** Processes that may be killed. The only worker is left out, because work must continue. */
  get victims(): number[] {
    const up = this.processes.flatMap(({ stdout }, at) => (isUp(at).test(stdout) ? [at] : []));
    return up.filter((at) => at === FRONT || up.filter((other) => other !== FRONT).length > 1);
  }

  get front(): number {
    return FRONT;
  }

  /** Sends SIGKILL to that process and starts a new one in its place. */
  async strike(at: number): Promise<void> {
    await this.processes[at]?.end('SIGKILL');
    this.processes[at] = this.start(at);
  }

  /** Repeats a request while the API is away. A request with a body may have had its effect, so it is not repeated. */
  async ask<T>(path: string, body?: object): Promise<T> {
    const request = { key: KEY, user: 'importer', ...(body && { body }) };
    for (const end = Date.now() + AWAY_MS; ; await sleep(100)) {
      try {
        const answer = await ask(`${await this.processes[FRONT]?.address()}/api/v1${path}`, request);
        if (answer.ok) return (await answer.json()) as T;
        throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
      } catch (error) {
        if (body || Date.now() > end || !isAway(error)) throw error;
      }
    }
  }

  async stop(): Promise<(number | null)[]> {
    const endings = await Promise.all(this.processes.map((each) => each.end('SIGTERM')));
    return endings.map(({ code }) => code);
  }

  private start(at: number): MillraceProcess {
    const roles = ROLES[at] ?? '';
    return startMillrace({
      ...this.environment,
      MILLRACE_DATA_DIR: this.dataDirs[at] ?? '',
      MILLRACE_ADMIN_KEY: KEY,
      MILLRACE_ROLES: roles,
      PORT: at === FRONT ? '0' : '',
    });
  }
}

const isUp = (at: number) => (at === FRONT ? /Millrace runs at/ : /"running"/);

/** The connection was refused or reset, or the process ended before it had an address. */
const isAway = (error: unknown) =>
  error instanceof TypeError || (error instanceof Error && error.message.startsWith('Millrace ended before'));
