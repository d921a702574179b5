import type { Terminal } from '../command.js';
import { cut } from './display-width.js';

const CELLS = 24;
const ERASE_LINE = '\r\u001b[2K';
/** Without a terminal a line is added now and then, so that a log says how it goes and stays short. */
const QUIET_MS = 5_000;

interface Step {
  done: number;
  /** Zero while it is not known. */
  total: number;
  text: string;
}

/** How long work gets on: a bar that moves where somebody watches, lines where not. Goes to `err`, as `out` is for the result. */
export class Progress {
  private lastLine = '';
  private lastAt = 0;

  constructor(private readonly terminal: Terminal) {}

  show(step: Step): void {
    if (this.terminal.watched) this.draw(step);
    else this.addLine(step);
  }

  private addLine(step: Step): void {
    const line = `${percent(step)}${step.text}\n`;
    const isTime = Date.now() - this.lastAt >= QUIET_MS;
    if (line === this.lastLine || !isTime) return;
    this.lastLine = line;
    this.lastAt = Date.now();
    this.terminal.err(line);
  }

  /** What is printed next stands where the bar was. */
  end(): void {
    if (this.terminal.watched) this.terminal.err(ERASE_LINE);
  }

  private draw(step: Step): void {
    const full = Math.round(portion(step) * CELLS);
    const bar = `${'█'.repeat(full)}${'░'.repeat(CELLS - full)} ${percent(step)}${step.text}`;
    // One column less than there are: a line that is full moves on in some terminals.
    this.terminal.err(`${ERASE_LINE}${cut(bar, (this.terminal.width ?? 80) - 1)}`);
  }
}

const portion = ({ done, total }: Step) => (total > 0 ? Math.min(1, done / total) : 0);
const percent = (step: Step) => (step.total > 0 ? `${String(Math.floor(portion(step) * 100)).padStart(3)} %  ` : '');
