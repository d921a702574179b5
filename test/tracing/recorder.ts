import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { parseConfig } from '../../src/platform/config.js';
import { startTracing } from '../../src/platform/tracing/start-tracing.js';
import type { LogLine } from '../harness/api.js';
import { Collector, type Span } from './collector.js';

/** Records the traces of this process until the test ends, or until `spans` has returned the last of them. */
export async function recordTraces({ percent = 100, url }: { percent?: number; url?: string } = {}) {
  const collector = await Collector.start();
  const lines: LogLine[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const config = { ...parseConfig({}), tracesUrl: url ?? collector.url, tracePercent: percent };
  const stop = await startTracing(config, log);
  onTestFinished(stop);
  const spans = async (): Promise<Span[]> => {
    await stop();
    return collector.spans;
  };
  return { collector, lines, spans, stop };
}

export function only(spans: Span[], name: string): Span {
  const [found, ...more] = spans.filter((span) => span.name === name);
  if (!found || more.length)
    throw new Error(`not one span is named ${name} in ${spans.map((span) => span.name).join(', ')}`);
  return found;
}
