import { connect, createServer, type Server, type Socket } from 'node:net';
import { Connection } from 'rabbitmq-client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runMillraceCommand } from '../../../test/cli/run-millrace-command.js';
import { rabbitmqUrl } from '../../../test/harness/rabbitmq.js';
import { MillraceProcess, ROOT } from '../../../test/program/millrace-process.js';
import { failing, isUnknown, only, silent } from '../../../test/workers/habits.js';
import { type Habit, startWorker } from '../../../test/workers/scripted-worker.js';
import { PROBES } from './probes.js';

vi.setConfig({ testTimeout: 60_000 });

const url = rabbitmqUrl();
const OTHERS = PROBES.slice(1).map(({ name }) => name);

async function worker(queue: string, habit: Habit = ({ good }) => good, exchange = 'source.fetcher') {
  const { end } = await startWorker({ url, queue, habit, exchange });
  onTestFinished(end);
}

async function declare(setUp: (rabbit: Connection) => Promise<unknown>): Promise<void> {
  const rabbit = new Connection({ url });
  await setUp(rabbit);
  await rabbit.close();
}

const conform = (queue: string, ...args: string[]) =>
  runMillraceCommand(['conform', queue, '--url', url, '--timeout', '2s', ...args]);

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

it('prints a table, with a line for each probe', async () => {
  await worker('fetch.table', only(isUnknown, failing('RATE_LIMITED')));
  const { code, out, err } = await conform('fetch.table', '--only', 'good-command,unknown-account');
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out.replace(/\d+ ms/, '12 ms').split('\n')).toEqual([
    'probe            result  details',
    'worker-present   ✓       1 worker, 0 waiting commands',
    'good-command     ✓       10 posts in 12 ms',
    'unknown-account  ✗       answered with RATE_LIMITED (it is RATE_LIMITED) instead of NOT_FOUND',
    '',
    'fetch.table does not conform: 2 passed, 1 breached, 0 skipped',
    '',
  ]);
});

it('prints the same as JSON', async () => {
  await worker('scrape.json');
  const { code, out } = await conform('scrape.json', '--json', '--only', 'unknown-account');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    queue: 'scrape.json',
    verdict: 'conforms',
    probes: [
      { probe: 'worker-present', result: 'pass', checks: expect.any(String), details: '1 worker, 0 waiting commands' },
      { probe: 'unknown-account', result: 'skipped', details: 'scrape commands have no account' },
    ],
  });
});

it('colours the results for terminals alone, and lets the worker colour nothing', async () => {
  const [green, red] = ['\u001b[32m✓', '\u001b[31m✗'];
  await worker('fetch.colours', only(isUnknown, failing('UNKNOWN_ERROR', { message: '\u001b[5mblink\nblink' })));
  const args = ['conform', 'fetch.colours', '--url', url, '--only', 'unknown-account'];
  const { out } = await runMillraceCommand(args, { colours: true });
  expect(out).toContain(green);
  expect(out).toContain(red);
  expect(out).toContain('UNKNOWN_ERROR ( [5mblink blink)');
  expect((await runMillraceCommand(args)).out).not.toContain('\u001b');
});

it('waits for no answer where there is no queue', async () => {
  const { code, out } = await conform('fetch.nowhere', '--json');
  const [present, ...others] = JSON.parse(out).probes;
  expect(code).toBe(1);
  expect(present).toMatchObject({
    result: 'breach',
    details: expect.stringContaining('queue fetch.nowhere does not exist'),
  });
  expect(others.map(({ probe }: { probe: string }) => probe)).toEqual(OTHERS);
  for (const other of others) expect(other).toMatchObject({ result: 'skipped', details: 'no worker' });
});

it('waits for no answer where nobody works', async () => {
  await declare((rabbit) => rabbit.queueDeclare({ queue: 'fetch.idle', autoDelete: true }));
  const { code, out } = await conform('fetch.idle');
  expect(code).toBe(1);
  expect(out).toMatch(/^worker-present +✗ +no worker consumes from fetch.idle$/m);
});

it('says that there is no such exchange', async () => {
  await worker('fetch.elsewhere');
  const { code, out } = await conform('fetch.elsewhere', '--exchange', 'nothing');
  expect(code).toBe(1);
  expect(out).toContain('exchange nothing does not exist; name another with --exchange');
});

it('says that the queue is not bound to the exchange', async () => {
  await declare((rabbit) => rabbit.exchangeDeclare({ exchange: 'loose', type: 'direct', durable: true }));
  await worker('fetch.unbound');
  const { code, out } = await conform('fetch.unbound', '--exchange', 'loose');
  expect(code).toBe(1);
  expect(out).toContain('fetch.unbound is not bound to the exchange loose by its name');
  expect(out).toContain('1 passed, 1 breached, 7 skipped');
});

it('takes address and exchange from the environment', async () => {
  await worker('fetch.environment', undefined, 'mine');
  const environment = { RABBITMQ_URL: url, MILLRACE_RABBITMQ_EXCHANGE: 'mine' };
  const { code, out } = await runMillraceCommand(['conform', 'fetch.environment', '--only', 'paging'], { environment });
  expect(out).toContain('25 posts on 3 pages');
  expect(code).toBe(0);
});

it('does not wait where nobody listens, and shows no password', async () => {
  const { code, out, err } = await runMillraceCommand(['conform', 'fetch.x', '--url', 'amqp://me:hunter2@127.0.0.1:1']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toBe(
    'millrace conform: Could not reach RabbitMQ at 127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1). Is it running?\n',
  );
});

it('gives up on a server that is not RabbitMQ', async () => {
  const port = await listening(createServer((socket) => socket.on('error', () => undefined)));
  const { code, err } = await runMillraceCommand(['conform', 'fetch.x', '--url', `amqp://127.0.0.1:${port}`]);
  expect(code).toBe(2);
  expect(err).toContain(`Could not reach RabbitMQ at 127.0.0.1:${port} (`);
});

it('says that RabbitMQ refuses the password, or knows no such virtual host', async () => {
  const password = new URL(url);
  password.password = 'hunter2';
  const host = new URL(url);
  host.pathname = '/hunter';
  for (const wrong of [password, host]) {
    const { code, err } = await runMillraceCommand(['conform', 'fetch.x', '--url', wrong.href]);
    expect(code).toBe(2);
    expect(err).toMatch(/refused the user, password or virtual host: (ACCESS_REFUSED|NOT_ALLOWED) - /);
    expect(err).toContain(`RabbitMQ at ${wrong.host} `);
    expect(err).not.toContain('hunter2');
  }
});

it('says so when the connection is lost in the middle', async () => {
  const sockets: Socket[] = [];
  const { hostname, port } = new URL(url);
  const between = await listening(
    createServer((socket) => {
      const broker = connect(Number(port), hostname);
      for (const end of [socket, broker]) end.on('error', () => undefined);
      sockets.push(socket, broker);
      socket.pipe(broker).pipe(socket);
    }),
  );
  const cut: Habit = () => {
    for (const socket of sockets) socket.destroy();
    return {};
  };
  await worker('fetch.lost', cut);
  const through = new URL(url);
  through.port = String(between);
  const { code, err } = await runMillraceCommand(['conform', 'fetch.lost', '--url', through.href]);
  expect(code).toBe(2);
  expect(err).toContain(`Lost the connection to RabbitMQ at 127.0.0.1:${between}.`);
});

const asProcess = (...args: string[]) =>
  new MillraceProcess([process.execPath, `${ROOT}/scripts/millrace.mjs`, 'conform', ...args], { RABBITMQ_URL: url });

it('runs as a program, whose exit code tells', async () => {
  await worker('fetch.program', only(isUnknown, silent));
  const good = asProcess('fetch.program', '--only', 'good-command');
  const bad = asProcess('fetch.program', '--only', 'unknown-account', '--timeout', '1s');
  const wrong = asProcess('fetch.program', '--only', 'nothing');
  expect(await Promise.all([good.ended, bad.ended, wrong.ended])).toEqual(
    [0, 1, 2].map((code) => ({ code, signal: null })),
  );
  expect(good.stdout).toMatch(/^probe .*\nworker-present .*\ngood-command .*\n\nfetch.program conforms: .*\n$/);
  expect(bad.stdout).toContain('no answer within 1 s');
  expect(wrong.stderr).toContain('Unknown probe `nothing`.');
});

it('stops on request', async () => {
  await worker('fetch.forever', silent);
  const program = asProcess('fetch.forever', '--timeout', '1h');
  await program.printed(/worker-present/);
  expect(await program.end('SIGINT')).toEqual({ code: null, signal: 'SIGINT' });
});
