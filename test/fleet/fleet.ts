import { vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { statusOf } from '../program/api-client.js';
import { type Environment, type MillraceProcess, startMillrace } from '../program/millrace-process.js';

export const FLEET_KEY = 'an-admin-key-for-this-fleet-only';
const WAIT_OPTIONS = { timeout: 60_000, interval: 100 };

interface Member {
  roles: string;
  /** Added to the environment that all processes share. */
  own: Environment;
  process: MillraceProcess;
}

/** Processes of one Millrace on the same servers, each with its own port for probes. They include the feature `tasks`. */
export class Fleet {
  private readonly members: Member[];

  constructor(
    private readonly environment: Environment,
    roles: string[],
  ) {
    this.members = roles.map((each) => ({ roles: each, own: {}, process: this.start(each, {}) }));
  }

  async add(roles: string, own: Environment = {}): Promise<void> {
    this.members.push({ roles, own, process: this.start(roles, own) });
    await this.isReady(this.members.length - 1);
  }

  process(at: number): MillraceProcess {
    return this.member(at).process;
  }

  /** Addresses of the running processes that serve the API. */
  apiAddresses(): string[] {
    return this.members.flatMap(({ roles, process }) =>
      roles.includes('api') && !process.hasEnded ? (addressOf(process) ?? []) : [],
    );
  }

  /** Indices of the processes that have this role. */
  withRole(role: string): number[] {
    return this.members.flatMap(({ roles }, at) => (roles.includes(role) ? [at] : []));
  }

  async ready(): Promise<void> {
    await Promise.all([...this.members.keys()].map((at) => this.isReady(at)));
  }

  /** Restarts a process as an update does: SIGTERM, wait, start. Returns the exit code. */
  async restart(at: number): Promise<number | null> {
    const { code } = await this.process(at).end('SIGTERM');
    await this.replace(at);
    return code;
  }

  /** Starts a process in place of one that has ended. */
  async replace(at: number): Promise<void> {
    const member = this.member(at);
    member.process = this.start(member.roles, member.own);
    await this.isReady(at);
  }

  async stop(): Promise<(number | null)[]> {
    const endings = await Promise.all(this.members.map(({ process }) => process.end('SIGTERM')));
    return endings.map(({ code }) => code);
  }

  private async isReady(at: number): Promise<void> {
    const process = this.process(at);
    await process.printed(RUNNING);
    await vi.waitFor(async () => {
      const status = await statusOf(`${addressOf(process)}/health/ready`);
      if (status !== 200) throw new Error(`${this.member(at).roles} is not ready: ${status}`);
    }, WAIT_OPTIONS);
  }

  private member(at: number): Member {
    const found = this.members[at];
    if (!found) throw new Error(`there is no process ${at}`);
    return found;
  }

  private start(roles: string, own: Environment): MillraceProcess {
    const usual = {
      MILLRACE_DATA_DIR: newDataFolder(),
      MILLRACE_ADMIN_KEY: FLEET_KEY,
      MILLRACE_ROLES: roles,
      PORT: '0',
    };
    return startMillrace({ ...this.environment, ...usual, ...own }, 'millrace-with-tasks');
  }
}

const RUNNING = /"event":"running".*"address":"([^"]+)"/;
const addressOf = ({ stdout }: MillraceProcess) => RUNNING.exec(stdout)?.[1];
