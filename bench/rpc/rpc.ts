import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Connection } from 'rabbitmq-client';
import { fetchQueue } from '../../src/contracts/queues.js';
import { commandTopology } from '../../src/contracts/topology.js';
import { askWorker } from '../../src/fetching/remote/ask-worker.js';
import { Broker } from '../../src/platform/broker/broker.js';
import { Declarations } from '../../src/platform/broker/declarations.js';
import { queueInfo } from '../../src/platform/broker/declare.js';
import { RabbitmqRpc } from '../../src/platform/broker/rabbitmq-rpc.js';
import { RpcMetrics } from '../../src/platform/broker/rpc-metrics.js';
import { WorkerPresence } from '../../src/platform/broker/worker-presence.js';
import { parseConfig } from '../../src/platform/config.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { thisMachine } from '../../test/harness/servers/machine.js';
import { progress } from '../harness/progress.js';
import { withBenchRabbitmq } from '../harness/servers.js';
import { type Measurement, median } from '../report.js';

const ROUNDS = 5;
const CALLS = 1_000;
const CONCURRENCY = 32;
const POSTS = 12;
const TARGET = 1.3;

type Caller = () => Promise<unknown>;

/** Measures round trips of calls to one worker in another process, which answers with a page of posts. */
export async function run(): Promise<Measurement[]> {
  return withBenchRabbitmq(async (rabbitmqUrl) => {
    const report = await compare('Node.js', rabbitmqUrl, ['bench-node', ...nodeWorker('bench-node')]);
    const python = thisMachine().given('python') ?? thisMachine().installed('python');
    if (!python) return report;
    return [...report, ...(await compare('Python kit', rabbitmqUrl, ['bench-python', python, ...PYTHON_WORKER]))];
  });
}

const nodeWorker = (type: string) => [
  process.execPath,
  'dist/bench/rpc/worker.program.js',
  fetchQueue(type),
  String(POSTS),
];
const PYTHON_WORKER = ['-m', 'millrace_worker', 'bench/rpc/worker.py'];

async function compare(worker: string, rabbitmqUrl: string, [type = '', ...command]: string[]): Promise<Measurement[]> {
  const ours = await ourSide(rabbitmqUrl, type);
  const process = await startWorker(command, rabbitmqUrl, () => ours.hasWorker());
  const bare = bareSide(rabbitmqUrl, type);
  try {
    progress(`${worker}, one call at a time`);
    const alone = await rounds(bare.call, ours.call, 1);
    progress(`${worker}, ${CONCURRENCY} in flight`);
    const together = await rounds(bare.call, ours.call, CONCURRENCY);
    return [...lines(`${worker}, one at a time`, alone), ...lines(`${worker}, ${CONCURRENCY} in flight`, together)];
  } finally {
    process.kill('SIGTERM');
    await bare.close();
    await ours.close();
  }
}

/** Returns milliseconds per call, of the bare client and of ours, in alternation. */
async function rounds(bare: Caller, ours: Caller, atOnce: number): Promise<{ bare: number; ours: number }[]> {
  const measured: { bare: number; ours: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const times = { bare: await timed(bare, atOnce), ours: await timed(ours, atOnce) };
    // The first round is a warm-up.
    if (round > 0) measured.push(times);
  }
  return measured;
}

async function timed(call: Caller, atOnce: number): Promise<number> {
  let left = CALLS;
  const start = performance.now();
  const line = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  return (performance.now() - start) / CALLS;
}

function lines(what: string, measured: { bare: number; ours: number }[]): Measurement[] {
  const ratio = median(measured.map(({ bare, ours }) => ours / bare));
  const ms = (of: (round: (typeof measured)[0]) => number) => `${median(measured.map(of)).toFixed(3)} ms a call`;
  return [
    { what: `${what}: bare direct reply-to`, value: ms(({ bare }) => bare) },
    { what: '  Millrace', value: ms(({ ours }) => ours) },
    { what: '  ratio', value: ratio.toFixed(2), target: `at most ${TARGET}`, met: ratio <= TARGET },
  ];
}

/** The library's own client, without publisher confirms and with Nagle's algorithm off. */
function bareSide(url: string, type: string) {
  const connection = new Connection({ url, noDelay: true });
  const client = connection.createRPCClient({ confirm: false, timeout: 30_000 });
  return {
    call: () => client.send(fetchQueue(type), newMessage(type)),
    async close() {
      await client.close();
      await connection.close();
    },
  };
}

const newMessage = (type: string) => ({
  schemaVersion: 1,
  jobId: randomUUID(),
  sourceId: '1',
  sourceType: type,
  externalId: 'ada',
  params: { limit: 50 },
  timestamp: new Date().toISOString(),
  timeout: 30_000,
});

async function ourSide(rabbitmqUrl: string, type: string) {
  const config = { ...parseConfig({}), rabbitmqUrl, remoteTypes: [type] };
  const log = pino({ level: 'silent' });
  const broker = new Broker(config, log);
  const declarations = new Declarations(config, log, broker);
  const presence = new WorkerPresence(broker, declarations);
  const rpc = new RabbitmqRpc(log, broker, declarations, presence, new RpcMetrics(new Metrics(log)));
  declarations.want(commandTopology(config));
  await declarations.declareAll();
  const ids = { jobId: 'bench', sourceId: '1' };
  return {
    call: () => {
      const { signal } = new AbortController();
      const command = { ids, externalId: 'ada', limit: 50, validators: {}, now: new Date(), signal };
      return askWorker(rpc, { type, command, timeoutMs: config.remoteTimeoutMs });
    },
    hasWorker: async () => ((await queueInfo(broker, fetchQueue(type)))?.consumers ?? 0) > 0,
    close: () => broker.onApplicationShutdown(),
  };
}

async function startWorker(
  [program = '', ...args]: string[],
  url: string,
  isThere: () => Promise<boolean>,
): Promise<ChildProcess> {
  const env = { ...process.env, RABBITMQ_URL: url, PYTHONPATH: 'workers/python', MILLRACE_LOG_LEVEL: 'error' };
  const worker = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  while (!(await isThere())) {
    if (worker.exitCode !== null) throw new Error(`the worker ended with ${worker.exitCode}`);
    await sleep(100);
  }
  return worker;
}
