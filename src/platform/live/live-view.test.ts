import { Controller, Get, Injectable, Module, Param, Req, Res } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { EventSource } from '../../../test/feeds/event-source.js';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { Public } from '../api/public.js';
import { Database } from '../database/database.js';
import { defineEvent, Events } from '../events/events.js';
import { LiveHub, userLimit } from './live-hub.js';
import { type LiveUpdate, LiveView } from './live-view.js';

const db = testDatabase();
const WAIT_OPTIONS = { timeout: 15_000, interval: 20 };
const ANN = '1';
const kettleChanged = defineEvent('kettle-changed', z.object({ kettle: z.string(), part: z.string().optional() }));

type Load = (id: string, changed: string[] | undefined) => Promise<LiveUpdate>;

/** A view whose state is up to the test. */
@Injectable()
class LiveKettles extends LiveView {
  load: Load = async () => ({ events: [] });

  constructor(hub: LiveHub, events: Events) {
    super(hub, events, {
      name: 'kettle',
      limit: userLimit('You may watch 20 kettles at a time.'),
      load: (id, changed) => this.load(id, changed),
    });
    events.subscribe(kettleChanged, ({ kettle, part }) => this.changed(kettle, part));
  }
}

@Public()
@Controller('kettles/:id')
class KettlesController {
  constructor(private readonly live: LiveKettles) {}

  @Get()
  watch(
    @Param('id', { schema: z.string() }) id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    this.live.open({ topic: id, owner: ANN }, { request, reply });
  }
}

@Module({ controllers: [KettlesController], providers: [LiveKettles] })
class KettlesModule {}

async function start(load: Load) {
  const api = await startApi({ databaseUrl: db.url, modules: [KettlesModule] });
  onTestFinished(() => api.stop());
  api.app.get(LiveKettles).load = load;
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const address = await api.app.getUrl();
  return {
    ...api,
    watch: (id: string) => EventSource.open(`${address}/api/v1/kettles/${id}`, {}),
    change: (kettle: string, part?: string) =>
      api.app.get(Events).publish(api.app.get(Database).db, kettleChanged, { kettle, part }),
    loseEvents: () =>
      api.app.get(Database).db.execute(sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'millrace-events' AND datname = current_database()`),
  };
}

const kettle = (warmth: number, ended = false): LiveUpdate => ({
  events: [{ event: 'kettle', data: { degrees: warmth } }],
  ended,
});
const degrees = ({ told }: EventSource) => told.map(({ event, data }) => `${event} ${data.degrees}`);

it('sends all subscribers the state, then its changes, and ends with the topic', async () => {
  let warmth = 20;
  let loads = 0;
  const { watch, change } = await start(async () => {
    loads += 1;
    return kettle(warmth, warmth === 100);
  });
  const streams = [await watch('a'), await watch('a')];
  for (const stream of streams) await expect.poll(() => degrees(stream), WAIT_OPTIONS).toContain('kettle 20');
  const before = loads;
  warmth = 60;
  await change('b');
  for (let times = 0; times < 10; times++) await change('a');
  for (const stream of streams) await expect.poll(() => degrees(stream), WAIT_OPTIONS).toContain('kettle 60');
  expect(loads).toBeLessThan(before + 5);
  warmth = 100;
  await change('a');
  for (const stream of streams) await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
  for (const stream of streams) expect(degrees(stream).at(-1)).toBe('kettle 100');
});

it('never sends an older state after a newer one, however long a load takes', async () => {
  let warmth = 20;
  let atOnce = 0;
  let release = () => {};
  const { watch, change } = await start(async () => {
    const loaded = warmth;
    expect(++atOnce).toBe(1);
    if (warmth === 40)
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    atOnce -= 1;
    return kettle(loaded, loaded === 80);
  });
  const stream = await watch('a');
  await expect.poll(() => degrees(stream), WAIT_OPTIONS).toEqual(['kettle 20']);
  warmth = 40;
  await change('a');
  await expect.poll(() => atOnce, WAIT_OPTIONS).toBe(1);
  warmth = 80;
  await change('a');
  // Long enough for a second load to begin, if one could.
  await new Promise((resolve) => setTimeout(resolve, 400));
  release();
  await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
  expect(degrees(stream)).toEqual(['kettle 20', 'kettle 40', 'kettle 80']);
});

it('repeats a failed load, and ends when the topic no longer exists', async () => {
  let tries = 0;
  const { watch, lines } = await start(async () => {
    tries += 1;
    if (tries === 1) throw new Error('the kettle is hidden');
    return tries === 2 ? kettle(20) : { events: [], ended: true };
  });
  const stream = await watch('a');
  await expect.poll(() => degrees(stream), WAIT_OPTIONS).toEqual(['kettle 20']);
  expect(lines).toContainEqual(expect.objectContaining({ event: 'live_update_failed', view: 'kettle', topic: 'a' }));
  const late = await watch('a');
  for (const one of [stream, late]) await expect.poll(() => one.ended, WAIT_OPTIONS).toBe(true);
  expect(degrees(late)).toEqual([]);
});

it('admits twenty streams of a user', async () => {
  const { watch, send } = await start(async () => kettle(20));
  const streams = await Promise.all(Array.from({ length: 20 }, (_, at) => watch(`kettle-${at}`)));
  const refused = await send({ url: '/api/v1/kettles/one-more' });
  expect(refused.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(refused.json().detail).toBe('You may watch 20 kettles at a time.');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  streams[0]?.response.destroy();
  await expect.poll(async () => (await watch('one-more')).response.statusCode, WAIT_OPTIONS).toBe(200);
});

it('ends all streams when the server stops', async () => {
  const { watch, app } = await start(async () => kettle(20));
  const stream = await watch('a');
  await expect.poll(() => degrees(stream), WAIT_OPTIONS).toEqual(['kettle 20']);
  await app.close();
  await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
});

it('sends only new subscribers the complete state, and only the others what changed before', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const loaded: (string[] | undefined)[] = [];
  const { watch, change } = await start(async (_, changed) => {
    loaded.push(changed);
    if (changed?.includes('lid')) await held;
    return { events: (changed ?? ['everything']).map((event) => ({ event, data: {} })) };
  });
  const names = ({ told }: EventSource) => told.map(({ event }) => event);
  const early = await watch('a');
  await expect.poll(() => names(early), WAIT_OPTIONS).toEqual(['everything']);
  await change('a', 'lid');
  await expect.poll(() => loaded, WAIT_OPTIONS).toEqual([undefined, ['lid']]);
  const late = await watch('a');
  for (const part of ['spout', 'handle', 'spout']) await change('a', part);
  release();
  await expect.poll(() => names(late), WAIT_OPTIONS).toEqual(['everything', 'spout', 'handle']);
  expect(names(early)).toEqual(['everything', 'lid', 'spout', 'handle']);
  expect(loaded).toEqual([undefined, ['lid'], undefined, ['spout', 'handle']]);
});

it('sends many changes in batches, and the complete state instead of too many', async () => {
  const sizes: (number | 'everything')[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { watch, app } = await start(async (_, changed) => {
    sizes.push(changed?.length ?? 'everything');
    if (changed?.includes('first')) await held;
    return kettle(20);
  });
  const publish = (parts: string[]) =>
    app.get(Events).publishAll(
      app.get(Database).db,
      kettleChanged,
      parts.map((part) => ({ kettle: 'a', part })),
    );
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `part ${at}`);
  await watch('a');
  await expect.poll(() => sizes, WAIT_OPTIONS).toEqual(['everything']);
  await publish(numbered(150));
  await expect.poll(() => sizes, WAIT_OPTIONS).toEqual(['everything', 100, 50]);
  await publish(['first']);
  await expect.poll(() => sizes, WAIT_OPTIONS).toEqual(['everything', 100, 50, 1]);
  await publish(numbered(1_001));
  await publish(['last']);
  release();
  await expect.poll(() => sizes.slice(4), WAIT_OPTIONS).toContain('everything');
});

it('sends the state again after the connection for events was lost', async () => {
  let warmth = 20;
  const { watch, loseEvents } = await start(async () => kettle(warmth));
  const stream = await watch('a');
  await expect.poll(() => degrees(stream), WAIT_OPTIONS).toEqual(['kettle 20']);
  warmth = 60;
  await loseEvents();
  await expect.poll(() => degrees(stream), WAIT_OPTIONS).toContain('kettle 60');
});
