import { onTestFinished } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { type Environment, type MillraceProcess, startMillrace } from '../program/millrace-process.js';

interface Member {
  roles: string;
  /** Called again for each of its processes. */
  environment: () => Environment;
}

const isUp = ({ stdout, hasEnded }: MillraceProcess) => !hasEnded && /"running"/.test(stdout);

/** Processes that die and are started again, as a supervisor does. */
export class PublishingFleet {
  /** Processes that were killed or have killed themselves. */
  deaths = 0;
  private readonly processes: MillraceProcess[] = [];
  private readonly dataDirs: string[];
  private readonly complaints: string[] = [];
  private isStopping = false;

  constructor(private readonly members: Member[]) {
    this.dataDirs = members.map(() => newDataFolder());
    for (const at of members.keys()) this.start(at);
  }

  async ready(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.printed(/"running"/)));
  }

  /** Resolves when they have started. */
  get up(): number[] {
    return [...this.members.keys()].filter((at) => isUp(this.process(at)));
  }

  process(at: number): MillraceProcess {
    const found = this.processes[at];
    if (!found) throw new Error(`there is no process ${at}`);
    return found;
  }

  /** All end as they should, and none has ended before unless it was killed. */
  async stop(): Promise<void> {
    await this.ready();
    this.isStopping = true;
    for (const each of this.processes) if ((await each.end('SIGTERM')).code !== 0) this.complain(each);
    if (this.complaints.length) throw new Error(`processes ended by themselves:\n${this.complaints.join('\n')}`);
  }

  private start(at: number): void {
    const { roles = '', environment } = this.members[at] ?? {};
    const own = { MILLRACE_DATA_DIR: this.dataDirs[at] ?? '', MILLRACE_ROLES: roles };
    const started = startMillrace({ ...environment?.(), ...own }, 'millrace-with-kill-points');
    this.processes[at] = started;
    // Runs before the handler that kills the process, which must not be started again.
    onTestFinished(() => {
      this.isStopping = true;
    });
    void started.ended.then(({ signal }) => {
      if (this.isStopping) return;
      if (signal === 'SIGKILL') this.deaths += 1;
      else this.complain(started);
      this.start(at);
    });
  }

  private complain({ stdout, stderr }: MillraceProcess): void {
    this.complaints.push(`${stderr}${stdout.slice(-2_000)}`);
  }
}
