import { Controller, Get, Inject, Injectable, Module, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { EventSource } from '../../../test/feeds/event-source.js';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { Database } from '../database/database.js';
import { defineEvent, Events } from '../events/events.js';
import type { Log } from '../log/log.js';
import { LOG } from '../log/log.js';
import { openEventStream } from './event-stream.js';
import { LiveViews, type Shown } from './live-views.js';
import { Public } from './public.js';

const db = testDatabase();
const WAIT_OPTIONS = { timeout: 15_000, interval: 20 };
const ANN = '1';
const kettleChanged = defineEvent('kettle-changed', z.object({ kettle: z.string() }));

/** An object with progress. The test decides what is loaded. */
@Injectable()
class LiveKettles extends LiveViews<{ kettle: string }> {
  read: (id: string) => Promise<Shown> = async () => undefined;

  constructor(events: Events, @Inject(LOG) log: Log) {
    super({ name: 'kettle', plural: 'kettles', changed: kettleChanged, idOf: ({ kettle }) => kettle }, events, log);
  }

  protected show(id: string) {
    return this.read(id);
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
    this.live.admit(ANN);
    const stream = openEventStream(request, reply);
    if (stream) this.live.open({ id, userId: ANN }, stream);
  }
}

@Module({ controllers: [KettlesController], providers: [LiveKettles] })
class KettlesModule {}

async function start(read: LiveKettles['read']) {
  const api = await startApi({ databaseUrl: db.url, modules: [KettlesModule] });
  onTestFinished(() => api.stop());
  api.app.get(LiveKettles).read = read;
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const address = await api.app.getUrl();
  return {
    ...api,
    watch: (id: string) => EventSource.open(`${address}/api/v1/kettles/${id}`, {}),
    change: (kettle: string) => api.app.get(Events).publish(api.app.get(Database).db, kettleChanged, { kettle }),
  };
}

const degrees = ({ told }: EventSource) => told.map(({ event, data }) => `${event} ${data.degrees}`);

it('shows all who watch it how it is, then how it gets on, and ends with it', async () => {
  let warmth = 20;
  let readings = 0;
  const { watch, change } = await start(async () => {
    readings += 1;
    return { view: { degrees: warmth }, ended: warmth === 100 };
  });
  const streams = [await watch('a'), await watch('a')];
  for (const stream of streams) await expect.poll(() => degrees(stream), WAIT_OPTIONS).toContain('kettle 20');
  const before = readings;
  warmth = 60;
  await change('b');
  for (let times = 0; times < 10; times++) await change('a');
  for (const stream of streams) await expect.poll(() => degrees(stream), WAIT_OPTIONS).toContain('kettle 60');
  expect(readings).toBeLessThan(before + 5);
  warmth = 100;
  await change('a');
  for (const stream of streams) await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
  for (const stream of streams) expect(degrees(stream).at(-1)).toBe('kettle 100');
});

it('tells nobody what is older than they know, however long a reading takes', async () => {
  let warmth = 20;
  let atOnce = 0;
  let release = () => {};
  const { watch, change } = await start(async () => {
    const view = { degrees: warmth };
    expect(++atOnce).toBe(1);
    if (warmth === 40)
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    atOnce -= 1;
    return { view, ended: warmth === 80 && view.degrees === 80 };
  });
  const stream = await watch('a');
  await expect.poll(() => degrees(stream), WAIT_OPTIONS).toEqual(['kettle 20']);
  warmth = 40;
  await change('a');
  await expect.poll(() => atOnce, WAIT_OPTIONS).toBe(1);
  warmth = 80;
  await change('a');
  // Long enough for a second load to begin, if that were possible.
  await new Promise((resolve) => setTimeout(resolve, 400));
  release();
  await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
  expect(degrees(stream)).toEqual(['kettle 20', 'kettle 40', 'kettle 80']);
});

it('tries again when it could not be read, and ends when it is there no more', async () => {
  let tries = 0;
  const { watch, lines } = await start(async () => {
    tries += 1;
    if (tries === 1) throw new Error('the kettle is hidden');
    return tries === 2 ? { view: { degrees: 20 }, ended: false } : undefined;
  });
  const stream = await watch('a');
  await expect.poll(() => degrees(stream), WAIT_OPTIONS).toEqual(['kettle 20']);
  expect(lines).toContainEqual(expect.objectContaining({ kettle: 'a', event: 'live_update_failed' }));
  const late = await watch('a');
  for (const one of [stream, late]) await expect.poll(() => one.ended, WAIT_OPTIONS).toBe(true);
  expect(degrees(late)).toEqual([]);
});

it('lets a user watch twenty at a time', async () => {
  const { watch, send } = await start(async () => ({ view: {}, ended: false }));
  const streams = await Promise.all(Array.from({ length: 20 }, (_, at) => watch(`kettle-${at}`)));
  const refused = await send({ url: '/api/v1/kettles/one-more' });
  expect(refused.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(refused.json().detail).toBe('You may watch 20 kettles at a time.');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  streams[0]?.response.destroy();
  await expect.poll(async () => (await watch('one-more')).response.statusCode, WAIT_OPTIONS).toBe(200);
});

it('ends all streams when the server stops', async () => {
  const { watch, app } = await start(async () => ({ view: { degrees: 20 }, ended: false }));
  const stream = await watch('a');
  await expect.poll(() => degrees(stream), WAIT_OPTIONS).toEqual(['kettle 20']);
  await app.close();
  await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
});
