import type { Job } from 'bullmq';
import { redactText } from '../redact.js';
import { databaseTime } from '../time/database-time.js';
import { storableText } from './storable.js';

/** The notes of a run that takes longer than this are shown while it runs, and brought up to date as often. */
const SHOW_INTERVAL_MS = 1_000;
const MAX_LINES = 50;
const MAX_LINE_LENGTH = 1_000;

interface Line {
  atMs: number;
  text: string;
}

/** How far a run is, and its log, for people to read in bull-board. They stay in memory unless somebody may see them. */
export class RunNotes {
  /** Whether some of the notes are in the queue, so the job is worth keeping. */
  areShown = false;
  private percent = 0;
  private shownPercent = 0;
  private lines: Line[] = [];
  private lineCount = 0;
  private timer: NodeJS.Timeout;
  private writing = Promise.resolve();

  constructor(
    private readonly job: Pick<Job, 'log' | 'updateProgress'>,
    private readonly mayShow: () => boolean,
  ) {
    this.timer = this.showLater();
  }

  add(percent: number, line: string): void {
    this.percent = percent;
    this.lineCount += 1;
    if (this.lineCount <= MAX_LINES) this.addLine(line);
  }

  /** Writes all notes. A run that failed stays at the percentage that it has reached. */
  async end(line: string, { isFailed }: { isFailed: boolean }): Promise<void> {
    if (!isFailed) this.percent = 100;
    this.addLine(line);
    await this.write();
  }

  private addLine(text: string): void {
    this.lines.push({ atMs: databaseTime.nowMs(), text });
  }

  /** An error is ignored: the job may have been taken over, and nobody depends on its notes. */
  private write(): Promise<void> {
    this.writing = this.writing.then(() => this.writeNew()).catch(() => undefined);
    return this.writing;
  }

  /** Ends what shows the notes while the run continues. */
  close(): void {
    clearTimeout(this.timer);
  }

  private showLater(): NodeJS.Timeout {
    return setTimeout(() => {
      this.areShown ||= this.mayShow();
      if (this.areShown) void this.write();
      this.timer = this.showLater();
    }, SHOW_INTERVAL_MS).unref();
  }

  private async writeNew(): Promise<void> {
    const { percent, lines } = this;
    this.lines = [];
    for (const line of lines) await this.job.log(shown(line));
    if (percent !== this.shownPercent) await this.job.updateProgress(percent);
    this.shownPercent = percent;
  }
}

const shown = ({ atMs, text }: Line) =>
  `${new Date(atMs).toISOString()} ${redactText(storableText(text)).slice(0, MAX_LINE_LENGTH)}`;
