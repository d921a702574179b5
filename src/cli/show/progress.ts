import type { Terminal } from '../command.js';
import { truncate } from './text.js';

const CELLS = 24;
const ERASE_LINE = '\r\u001b[2K';
/** Without a terminal, a line is printed at most this often, so that a log stays short. */
const LINE_INTERVAL_MS = 5_000;

interface Step {
  done: number;
  /** Zero while the total is unknown. */
  total: number;
  text: string;
}

/** Shows progress on `err`, because `out` is for the result: as a bar on a terminal, otherwise as lines. */
export class Progress {
  private lastLine = '';
  private lastAt = 0;

  constructor(private readonly terminal: Terminal) {}

  show(step: Step): void {
    if (this.terminal.watched) this.draw(step);
    else this.addLine(step);
  }

  private addLine(step: Step): void {
    const line = `${percentOf(step)}${step.text}\n`;
    const isTime = Date.now() - this.lastAt >= LINE_INTERVAL_MS;
    if (line === this.lastLine || !isTime) return;
    this.lastLine = line;
    this.lastAt = Date.now();
    this.terminal.err(line);
  }

  end(): void {
    if (this.terminal.watched) this.terminal.err(ERASE_LINE);
  }

  private draw(step: Step): void {
    const full = Math.round(portion(step) * CELLS);
    const bar = `${'█'.repeat(full)}${'░'.repeat(CELLS - full)} ${percentOf(step)}${step.text}`;
    // Some terminals wrap a line that is exactly full.
    this.terminal.err(`${ERASE_LINE}${truncate(bar, (this.terminal.width ?? 80) - 1)}`);
  }
}

const portion = ({ done, total }: Step) => (total > 0 ? Math.min(1, done / total) : 0);
const percentOf = (step: Step) => (step.total > 0 ? `${String(Math.floor(portion(step) * 100)).padStart(3)} %  ` : '');
