import { Body, Controller, ForbiddenException, Get, Post, Query } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { Id } from '../database/columns.js';
import { Problem } from '../errors/problem.js';
import { encodeCursor, listQuery } from './list-query.js';
import { Public } from './public.js';
import { DocumentBody } from './request-bodies.js';

const Order = z.strictObject({ name: z.string(), lines: z.array(z.strictObject({ count: z.int() })).default([]) });
const Orders = listQuery(z.tuple([Id]), {});

@Public()
@Controller('orders')
class OrdersController {
  @Post()
  create(@Body({ schema: Order }) order: z.infer<typeof Order>) {
    return order;
  }

  @Post('many')
  @DocumentBody({ maxBytes: 10_000_000 })
  createMany(@Body({ schema: Order }) order: z.infer<typeof Order>) {
    return { lines: order.lines.length };
  }

  @Get()
  list(@Query({ schema: Orders }) query: z.infer<typeof Orders>) {
    return query;
  }

  @Get('broken')
  broken() {
    throw new Error('password=hunter2');
  }

  @Get('closed')
  closed() {
    throw new ForbiddenException('not on Sundays');
  }
}

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, controllers: [OrdersController] });
});
afterAll(() => api?.stop());

const URL = '/api/v1/orders';

async function problemOf(request: Parameters<Api['send']>[0]) {
  const response = await api.send({ key: api.adminKey, ...request });
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const problem = Problem.parse(response.json());
  expect(problem.status).toBe(response.statusCode);
  expect(problem.requestId).toBe(response.headers['x-request-id']);
  return problem;
}

describe('what a client sent wrongly', () => {
  it('names every wrong and every unknown field, at any depth', async () => {
    const payload = { nam: 'x', lines: [{ count: 1 }, { count: 'two', size: 3 }] };
    const { code, status, errors } = await problemOf({ method: 'POST', url: URL, payload });
    expect({ code, status }).toEqual({ code: 'validation_failed', status: 400 });
    expect(errors?.map(({ path }) => path).sort()).toEqual(['lines.1.count', 'lines.1.size', 'nam', 'name']);
    expect(errors).toContainEqual({ path: 'nam', message: 'unknown field' });
  });

  it('names twenty wrong fields at most, by no more than their beginning, and says how many more there are', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `${index}-${'x'.repeat(100)}`);
    const payload = { ['x'.repeat(2_000)]: 0, ...Object.fromEntries(names.map((name) => [name, 0])) };
    const problem = await problemOf({ method: 'POST', url: URL, payload });
    expect(problem.errors).toHaveLength(20);
    expect(problem.detail).toMatch(/; and 482 more$/);
    expect(JSON.stringify(problem).length).toBeLessThan(10_000);
  });

  it('says that a body is missing', async () => {
    expect(await problemOf({ method: 'POST', url: URL })).toMatchObject({ code: 'validation_failed' });
  });

  it('refuses an unknown query parameter by name', async () => {
    const { code, errors } = await problemOf({ url: `${URL}?limit=5&page=2` });
    expect(code).toBe('validation_failed');
    expect(errors).toEqual([{ path: 'page', message: 'unknown field' }]);
  });

  it('refuses a limit out of bounds and a cursor that is none', async () => {
    const foreign = encodeCursor(['not an id']);
    for (const query of ['limit=0', 'limit=101', 'limit=x']) {
      expect((await problemOf({ url: `${URL}?${query}` })).errors?.[0]?.path).toBe('limit');
    }
    for (const cursor of ['garbage', foreign, '']) {
      expect((await problemOf({ url: `${URL}?cursor=${cursor}` })).errors?.[0]?.path).toBe('cursor');
    }
  });

  it('takes a good cursor and fills in the limit', async () => {
    const response = await api.send({ url: `${URL}?cursor=${encodeCursor(['17'])}` });
    expect(response.json()).toEqual({ limit: 50, cursor: ['17'] });
  });

  it('refuses malformed JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await problemOf({ method: 'POST', url: URL, headers, payload: '{"name":' })).toMatchObject({
      code: 'malformed_json',
      status: 400,
    });
  });

  it('refuses a body above 64 kB', async () => {
    const payload = { name: 'x'.repeat(70_000) };
    expect(await problemOf({ method: 'POST', url: URL, payload })).toMatchObject({ code: 'body_too_large' });
  });

  it.each(['text/csv', 'text/plain', 'application/x-www-form-urlencoded'])('refuses a body of %s', async (type) => {
    const headers = { 'content-type': type };
    expect(await problemOf({ method: 'POST', url: URL, headers, payload: 'name=x' })).toMatchObject({
      code: 'unsupported_media_type',
      status: 415,
    });
  });

  it.each(['"__proto__"', '"__proto__" \n', '"\\u005f_prot\\u006F__"'])(
    'refuses a field named %s, at any depth',
    async (name) => {
      const headers = { 'content-type': 'application/json' };
      const payload = `{"name":"x","lines":[{${name}:{"admin":true}}]}`;
      expect(await problemOf({ method: 'POST', url: URL, headers, payload })).toMatchObject({
        code: 'malformed_json',
        detail: 'The body has a field named `__proto__`.',
      });
    },
  );

  it('takes a text that speaks of __proto__', async () => {
    const payload = { name: 'write {"__proto__": 1}' };
    expect((await api.send({ method: 'POST', url: URL, key: api.adminKey, payload })).json()).toEqual({
      ...payload,
      lines: [],
    });
  });

  it('is done with a large body in little more time than it takes to parse it', async () => {
    const cpuMs = async (work: () => unknown) => {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    const payload = `{"name":"x","junk":[${'{},'.repeat(90_000)}{}]}`;
    const parsing = await cpuMs(() => JSON.parse(payload));
    const headers = { 'content-type': 'application/json' };
    const answering = await cpuMs(async () => {
      const { status } = await problemOf({ method: 'POST', url: `${URL}/many`, headers, payload });
      expect(status).toBe(400);
    });
    // Removing keys object by object took a hundred times as long.
    expect(answering / parsing).toBeLessThan(40);
  });
});

describe('what is not there', () => {
  it('tells an unknown address', async () => {
    expect(await problemOf({ url: '/api/v1/nothing?secret=1' })).toMatchObject({
      code: 'route_not_found',
      detail: 'There is nothing at GET /api/v1/nothing.',
    });
  });

  it('tells which methods an address has', async () => {
    const response = await api.send({ method: 'DELETE', url: URL });
    expect(response.json()).toMatchObject({ code: 'method_not_allowed', status: 405 });
    expect(response.headers.allow).toBe('GET, HEAD, POST');
  });

  it('refuses an address that cannot be decoded', async () => {
    expect(await problemOf({ url: '/api/v1/%E0%A4%A' })).toMatchObject({ code: 'bad_request', status: 400 });
  });
});

describe('what went wrong here', () => {
  it('hides the inside of an unexpected error and logs it under the request id', async () => {
    const problem = await problemOf({ url: `${URL}/broken` });
    expect(problem).toMatchObject({ code: 'internal_error', status: 500 });
    expect(JSON.stringify(problem)).not.toContain('hunter2');
    const logged = api.lines.find(
      ({ event, requestId }) => event === 'request_failed' && requestId === problem.requestId,
    );
    expect(logged?.err).toMatchObject({ message: 'password=hunter2', stack: expect.stringContaining('broken') });
  });

  it("passes on Nest's own exceptions", async () => {
    expect(await problemOf({ url: `${URL}/closed` })).toMatchObject({
      code: 'forbidden',
      status: 403,
      detail: 'not on Sundays',
    });
  });
});
