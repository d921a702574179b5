import type { INestApplicationContext } from '@nestjs/common';
import { EventLoopMonitor } from '../../src/platform/process/event-loop-monitor.js';
import { Heap } from '../../src/platform/process/memory-guard.js';
import { databaseTime } from '../../src/platform/time/database-time.js';

/** Causes problems of the process itself. */
export function strainsOn(app: INestApplicationContext) {
  const heap = app.get(Heap);
  return {
    shiftClock() {
      const ms = performance.now();
      databaseTime.synchronise({ databaseMs: databaseTime.nowMs() + 10_000, sentMs: ms, receivedMs: ms });
    },
    /** Blocks the event loop for longer than any stall that is remembered. */
    stall() {
      const until = performance.now() + app.get(EventLoopMonitor).maxStallMs() + 100;
      while (performance.now() < until);
    },
    /** Makes the heap seem nearly full until it is freed. */
    fillHeap: () => Object.assign(heap, { usedPercent: () => 95 }),
    freeHeap: () => Reflect.deleteProperty(heap, 'usedPercent'),
  };
}
