import { expect, it, onTestFinished } from 'vitest';
import { type WantedAlert, WatchedFleet } from '../fleet/watched-fleet.js';
import { ownRabbitmq } from '../harness/rabbitmq.js';
import { ownRedis, redisUrl } from '../harness/redis.js';
import type { Environment } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';
import { TaskRows } from '../program/task-rows.js';

const sharedRedis = redisUrl();
const redis = ownRedis();
const rabbitmq = ownRabbitmq();

/** All at once, as most of it is waiting. Every setting that decides when an alert comes is the default. */
it('reports each problem within a minute, in the API and to the webhook, and reports its end', {
  timeout: 400_000,
}, async () => {
  const told = await Promise.all([serversAreCut(), workGoesWrong(), workersStop(), workersAreKilled()]);
  process.stdout.write(`${told.flat().join('\n')}\n`);
});

async function serversAreCut(): Promise<string[]> {
  const watched = await startWatched({ REDIS_URL: redis.url, RABBITMQ_URL: rabbitmq.url }, 1);
  const ofRedis = dependencyDown('redis', 'Redis does not respond');
  const ofRabbitmq = dependencyDown('rabbitmq', 'RabbitMQ does not respond');
  await redis.kill();
  const redisRaised = await watched.raised(ofRedis);
  await redis.restart();
  const redisCleared = watched.cleared(ofRedis);
  await rabbitmq.kill();
  const rabbitmqRaised = await watched.raised(ofRabbitmq);
  await rabbitmq.start();
  const rabbitmqCleared = await watched.cleared(ofRabbitmq);
  expect(raisedIn(watched)).toEqual(['dependency_down rabbitmq', 'dependency_down redis']);
  return [
    line('Redis is cut', redisRaised, await redisCleared),
    line('RabbitMQ is cut', rabbitmqRaised, rabbitmqCleared),
  ];
}

async function workGoesWrong(): Promise<string[]> {
  const watched = await startWatched({ REDIS_URL: sharedRedis }, 2);
  const frozen = watched.processes.process(1);
  frozen.send('SIGSTOP');
  const freezing = watched.raised(workersMissing('warning', '1 of 2 worker processes'));
  const failing = await tasksFail(watched);
  const filling = await queueFills(watched);
  const freezeRaised = await freezing;
  frozen.send('SIGCONT');
  const freezeCleared = await watched.cleared(workersMissing('warning', 'worker processes'));
  const [failed, filled] = [await failing.cleared, await filling.cleared];
  expect(raisedIn(watched)).toEqual(['error_rate task', 'queue_backlog task', 'queue_paused task', 'workers_missing']);
  return [
    line('one of two workers is frozen', freezeRaised, freezeCleared),
    line('10 % of jobs fail', failing.raised, failed),
    line('more than 1,000 wait', filling.raised, filled),
  ];
}

async function tasksFail(watched: WatchedFleet) {
  const failing: WantedAlert = { code: 'error_rate', severity: 'warning', subject: 'task', says: 'runs of task' };
  await watched.post('/tasks', { script: 'ok', count: 90 });
  await watched.post('/tasks', { script: 'give-up', count: 10 });
  const raised = await watched.raised(failing);
  return { raised, cleared: watched.cleared(failing) };
}

async function queueFills(watched: WatchedFleet) {
  const full: WantedAlert = { code: 'queue_backlog', severity: 'warning', subject: 'task', says: 'queue task' };
  await watched.post('/queues/task/pause');
  await watched.post('/tasks', { script: 'ok', count: 1_001 });
  const raised = await watched.raised(full);
  await watched.post('/queues/task/resume');
  return { raised, cleared: watched.cleared(full) };
}

async function workersStop(): Promise<string[]> {
  const watched = await startWatched({}, 1);
  await watched.processes.process(0).end('SIGTERM');
  return workersComeBack('the workers are stopped', watched);
}

async function workersAreKilled(): Promise<string[]> {
  const watched = await startWatched({}, 1);
  await watched.processes.process(0).end('SIGKILL');
  return workersComeBack('the workers are killed', watched);
}

async function workersComeBack(what: string, watched: WatchedFleet): Promise<string[]> {
  const none = workersMissing('critical', 'No worker process is running');
  const raised = await watched.raised(none);
  await watched.processes.replace(0);
  const cleared = await watched.cleared(none);
  expect(raisedIn(watched)).toEqual(['workers_missing']);
  return [line(what, raised, cleared)];
}

async function startWatched(environment: Environment, workers: number): Promise<WatchedFleet> {
  const databaseUrl = await newDatabase();
  const watched = await WatchedFleet.start({ ...environment, DATABASE_URL: databaseUrl }, workers);
  const rows = new TaskRows(databaseUrl);
  onTestFinished(() => rows.close());
  await rows.create();
  return watched;
}

const workersMissing = (severity: WantedAlert['severity'], says: string): WantedAlert => ({
  code: 'workers_missing',
  severity,
  subject: null,
  says,
});
const dependencyDown = (subject: string, says: string): WantedAlert => ({
  code: 'dependency_down',
  severity: 'critical',
  subject,
  says,
});

/** All alerts that were reported, each once. Nothing else is reported. */
function raisedIn({ receiver: { notices, unsigned } }: WatchedFleet): string[] {
  expect(unsigned).toEqual([]);
  const raised = notices.filter(({ event }) => event === 'raised');
  return raised.map(({ code, subject }) => [code, subject].filter(Boolean).join(' ')).sort();
}

const line = (what: string, raised: string, cleared: string) => `${what}: ${raised}; cleared: ${cleared}`;
