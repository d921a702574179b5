import { serveThread } from '../../src/platform/threads/serve-thread.js';
import { CpuWatch } from '../../src/platform/threads/thread-cpu.js';

/** Everything that a thread may do to its pool. */
export type Trial =
  | { act: 'double'; of: number }
  | { act: 'measure'; bytes: Uint8Array }
  | { act: 'fail'; code: string; until: Date }
  | { act: 'fail with a string' | 'loop' | 'sleep' | 'exit' | 'crash later' }
  | { act: 'compute'; cpuMs: number }
  | { act: 'answer with a function' }
  | { act: 'overflow the stack' }
  | { act: 'fill memory'; with: 'objects' | 'strings' };

serveThread(async (trial: Trial): Promise<unknown> => {
  switch (trial.act) {
    case 'double':
      return trial.of * 2;
    case 'measure':
      return trial.bytes.byteLength;
    case 'fail':
      throw Object.assign(new RangeError('too far'), { code: trial.code, until: trial.until, inner: { not: 'plain' } });
    case 'fail with a string':
      throw 'just words';
    case 'loop':
      for (;;);
    case 'compute': {
      const watch = new CpuWatch();
      while (!watch.hasUsed(trial.cpuMs));
      return 'done';
    }
    case 'sleep':
      return new Promise(() => undefined);
    case 'exit':
      return process.exit(3);
    case 'crash later':
      setImmediate(() => {
        throw new Error('from nowhere');
      });
      return new Promise(() => undefined);
    case 'answer with a function':
      return () => undefined;
    case 'overflow the stack':
      return deep(0);
    case 'fill memory':
      return fill(trial.with);
  }
});

function deep(level: number): number {
  return deep(level + 1) + 1;
}

function fill(what: 'objects' | 'strings'): number {
  const kept: unknown[] = [];
  for (let at = 0; ; at++) kept.push(what === 'objects' ? { at, text: `${at}` } : `${at}`.repeat(100_000).split(''));
}
