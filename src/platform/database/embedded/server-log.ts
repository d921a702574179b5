import { open, rename, stat } from 'node:fs/promises';

const LARGEST_BYTES = 10_000_000;
const LINES_SHOWN = 8;

/** The file that PostgreSQL writes its own log to. */
export class ServerLog {
  constructor(readonly path: string) {}

  /** Moves a log that has grown large out of the way; meant for when the server is not running. */
  async sizeAfterRotation(): Promise<number> {
    const size = await this.size();
    if (size <= LARGEST_BYTES) return size;
    await rename(this.path, `${this.path}.old`);
    return 0;
  }

  /** The last lines of what was written after the log had the given size. */
  async endSince(position: number): Promise<string> {
    const size = await this.size();
    if (size <= position) return '';
    const file = await open(this.path);
    try {
      const { buffer } = await file.read({ buffer: Buffer.alloc(size - position), position });
      const lines = buffer.toString('utf8').trim().split('\n').slice(-LINES_SHOWN);
      return [`The end of ${this.path}:`, ...lines].join('\n  ');
    } finally {
      await file.close();
    }
  }

  private async size(): Promise<number> {
    try {
      return (await stat(this.path)).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
  }
}
