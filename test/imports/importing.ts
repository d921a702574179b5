import { onTestFinished, vi } from 'vitest';
import { ImportsModule } from '../../src/imports/imports.module.js';
import type { Config } from '../../src/platform/config.js';
import type { TestClock } from '../harness/api.js';
import { type Reader, startReader } from '../harness/reader.js';

const LOG_ERROR = 50;
const WAIT_OPTIONS = { timeout: 90_000, interval: 50 };

export interface Import {
  id: string;
  status: string;
  feeds: { total: number; done: number; failed: number };
  items: { found: number; new: number; updated: number; unchanged: number; failed: number };
}

interface Letter {
  id: string;
  payload: object;
  reason: string;
  state: string;
  links: { self: string; replayOf: string | null };
}

/** Everything that imports, reads and serves feeds, in real time. */
export async function startImporting(databaseUrl: string, config: Partial<Config> = {}) {
  const quick = { importRate: 100_000, sweepMs: 500 };
  const reader = await startReader(databaseUrl, { ...quick, ...config }, [ImportsModule]);
  letRun(reader.clock);

  const ask = async (method: 'GET' | 'POST', path: string) => {
    const answer = await reader.send({ method, url: `/api/v1/dead-letters${path}`, key: reader.config.adminKey ?? '' });
    if (answer.statusCode >= 300) throw new Error(`${path} was answered with ${answer.body}`);
    return answer.json();
  };
  return {
    ...reader,
    as: (user: string) => new Importer(reader, user),
    /** Errors of single items. */
    letters: async (state = 'open', queue = 'import-item'): Promise<Letter[]> =>
      (await ask('GET', `?queue=${queue}&state=${state}`)).items.toReversed(),
    replay: (letter: Letter): Promise<Letter> => ask('POST', `/${letter.id}/replay`),
  };
}

/** A user who imports feeds. */
class Importer {
  readonly send: ReturnType<Reader['as']>['send'];

  constructor(
    private readonly reader: Reader,
    private readonly name: string,
  ) {
    this.send = reader.as(name).send;
  }

  /** Titles of the posts in their timeline. */
  titles(): Promise<string[]> {
    return this.reader.as(this.name).titles();
  }

  async start(feeds: string[], options: object = {}): Promise<Import> {
    return this.expect(202, await this.send('POST', '/imports/start', { feeds, ...options }));
  }

  async find(id: string): Promise<Import> {
    return this.expect(200, await this.send('GET', `/imports/${id}`));
  }

  async cancel(id: string): Promise<Import> {
    return this.expect(200, await this.send('POST', `/imports/${id}/cancel`));
  }

  /** The first page is enough here. */
  async list<T>(id: string, what: string): Promise<T[]> {
    return this.expect<{ items: T[] }>(200, await this.send('GET', `/imports/${id}/${what}`)).items;
  }

  async whenEnded(id: string): Promise<Import> {
    return this.when(id, ({ status }) => status !== 'running');
  }

  when(id: string, isSo: (now: Import) => boolean): Promise<Import> {
    return vi.waitFor(async () => {
      const now = await this.find(id);
      if (!isSo(now)) throw new Error(`not yet: ${JSON.stringify(now)}`);
      return now;
    }, WAIT_OPTIONS);
  }

  private expect<T>(wanted: number, { status, body }: { status: number; body: unknown }): T {
    const complaints = this.reader.lines.filter(({ level }) => Number(level) >= LOG_ERROR);
    if (status !== wanted) throw new Error(`answered with ${status}: ${JSON.stringify([body, complaints])}`);
    return body as T;
  }
}

/** Slots and back-offs of hosts follow real time. */
function letRun(clock: TestClock): void {
  const timer = setInterval(() => clock.advance(Date.now() - clock.now().getTime()), 10);
  onTestFinished(() => clearInterval(timer));
}
