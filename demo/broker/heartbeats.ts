/** Half of the agreed time: how often it is looked whether anything went over the line. */
const LOOKS_PER_HEARTBEAT = 2;
/** So many heartbeats missed mean that nobody is there. */
const MISSED = 2;

interface Line {
  beat(): void;
  dead(): void;
}

/** Tells each side of a quiet line that the other is there. */
export class Heartbeats {
  private timer: NodeJS.Timeout | undefined;
  private hasRead = false;
  private hasWritten = false;
  private quietLooks = 0;

  constructor(private readonly line: Line) {}

  start(seconds: number): void {
    if (seconds) this.timer = setInterval(() => this.look(), (seconds * 1_000) / LOOKS_PER_HEARTBEAT).unref();
  }

  read(): void {
    this.hasRead = true;
  }

  written(): void {
    this.hasWritten = true;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    if (!this.hasWritten) this.line.beat();
    this.quietLooks = this.hasRead ? 0 : this.quietLooks + 1;
    this.hasRead = false;
    this.hasWritten = false;
    if (this.quietLooks >= MISSED * LOOKS_PER_HEARTBEAT) this.line.dead();
  }
}
