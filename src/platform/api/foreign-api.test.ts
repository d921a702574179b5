import { Body, Controller, Get, HttpCode, Param, Post, VERSION_NEUTRAL } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { ForeignApi } from './foreign-api.js';
import { Public } from './public.js';
import { AssumedBody } from './request-bodies.js';
import { RequestParameters } from './request-parameters.js';

const Marks = z.strictObject({ ids: z.array(z.int()) });

@ForeignApi({ errorAnswer: ({ detail }) => ({ type: 'text/plain; charset=utf-8', body: `Error=${detail}` }) })
@Controller({ path: ['api/other.php', 'other'], version: VERSION_NEUTRAL })
class OtherController {
  @Get('things/:id')
  thing(@Param('id', { schema: z.string() }) id: string, @RequestParameters() parameters: URLSearchParams) {
    return { id, parameters: [...parameters] };
  }

  @Post('edit')
  @HttpCode(200)
  @AssumedBody('form', { maxBytes: 100_000 })
  edit(@RequestParameters() parameters: URLSearchParams) {
    return [...parameters];
  }

  @Post('marks')
  @HttpCode(200)
  @AssumedBody('json')
  mark(@Body({ schema: Marks }) marks: z.infer<typeof Marks>) {
    return marks;
  }

  @Post('import')
  @HttpCode(200)
  @AssumedBody('xml')
  import(@Body({ schema: z.string() }) text: string) {
    return { text };
  }

  @Public()
  @Post('login')
  @HttpCode(200)
  @AssumedBody('form', { fromAnyone: true })
  logIn(@RequestParameters() parameters: URLSearchParams) {
    return parameters.getAll('name');
  }
}

@Controller('plain')
class PlainController {
  @Get()
  read() {
    return {};
  }
}

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, controllers: [OtherController, PlainController] });
});
afterAll(() => api?.stop());

const post = (path: string, payload: string, headers: Record<string, string> = {}) =>
  api.send({ method: 'POST', url: `/api/other.php/${path}`, key: api.adminKey, headers, payload });

describe('parameters', () => {
  it('keep every value of a repeated name, those of the query first', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await post('edit?i=1&a=x%20y', 'i=2&i=3&i=&b=%C3%A9+e', headers);
    expect(response.json()).toEqual([
      ['i', '1'],
      ['a', 'x y'],
      ['i', '2'],
      ['i', '3'],
      ['i', ''],
      ['b', 'é e'],
    ]);
  });

  it.each(['', 'text/plain', 'application/octet-stream', 'nonsense'])(
    'are read from a form of type "%s"',
    async (type) => {
      const response = await post('edit', 'i=2&i=3', type ? { 'content-type': type } : {});
      expect(response.json()).toEqual([
        ['i', '2'],
        ['i', '3'],
      ]);
    },
  );

  it('are read without a body, and from the query of a GET', async () => {
    const empty = await api.send({ method: 'POST', url: '/other/edit?i=1', key: api.adminKey });
    expect(empty.json()).toEqual([['i', '1']]);
    const read = await api.send({ url: '/other/things/feed%2F7?n=2', key: api.adminKey });
    expect(read.json()).toEqual({ id: 'feed/7', parameters: [['n', '2']] });
  });

  it('may not contain NUL characters', async () => {
    expect((await post('edit', 'i=%00')).statusCode).toBe(400);
  });
});

it.each(['', 'application/x-www-form-urlencoded', 'application/json'])('reads JSON of type "%s"', async (type) => {
  const response = await post('marks', '{"ids":[1,2]}', type ? { 'content-type': type } : {});
  expect(response.json()).toEqual({ ids: [1, 2] });
});

it.each(['', 'text/plain;charset=UTF-8', 'text/xml; charset=iso-8859-1'])('reads XML of type "%s"', async (type) => {
  const payload = Buffer.from('<a>é</a>', type.includes('8859') ? 'latin1' : 'utf8');
  const headers = type ? { 'content-type': type } : {};
  const response = await api.send({ method: 'POST', url: '/other/import', key: api.adminKey, headers, payload });
  expect(response.json()).toEqual({ text: '<a>é</a>' });
});

describe('a body', () => {
  it('of an unknown caller is read only where that is allowed, and only a small one', async () => {
    const send = (path: string, payload: string) => api.send({ method: 'POST', url: `/other/${path}`, payload });
    expect((await send('edit', 'i=1')).statusCode).toBe(401);
    expect((await send('login', 'name=a&name=b')).json()).toEqual(['a', 'b']);
    expect((await send('login', `name=${'x'.repeat(4_096)}`)).statusCode).toBe(413);
  });

  it('has the limit of its route', async () => {
    expect((await post('edit', `i=${'1'.repeat(99_000)}`)).statusCode).toBe(200);
    expect((await post('edit', `i=${'1'.repeat(100_000)}`)).statusCode).toBe(413);
  });
});

describe('pages of other origins', () => {
  const origin = 'https://reader.example';
  const preflight = (url: string) =>
    api.send({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-auth-token' },
    });

  it.each(['/api/other.php/edit', '/other/things/7'])('may call %s with a key', async (url) => {
    const { statusCode, headers } = await preflight(url);
    expect(statusCode).toBe(204);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-headers']).toMatch(/Authorization.*X-Auth-Token/);
    expect(headers['access-control-allow-methods']).toContain('PUT');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('may read answers, and errors of every kind', async () => {
    const headers = { origin };
    const read = await api.send({ url: '/other/things/1', key: api.adminKey, headers });
    const refused = await api.send({ url: '/other/things/1', headers });
    const refusedBody = await api.send({ method: 'POST', url: '/other/edit', payload: 'i=1', headers });
    for (const response of [read, refused, refusedBody]) {
      expect(response.headers['access-control-allow-origin']).toBe('*');
    }
    expect([read.statusCode, refused.statusCode, refusedBody.statusCode]).toEqual([200, 401, 401]);
  });

  it('may not call any other path', async () => {
    const { statusCode, headers } = await preflight('/api/v1/plain');
    expect(statusCode).toBe(405);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const read = await api.send({ url: '/api/v1/plain', key: api.adminKey, headers: { origin } });
    expect(read.headers['access-control-allow-origin']).toBeUndefined();
  });
});

it('answers errors in the format of that API, before and after the body is read', async () => {
  for (const response of [
    await api.send({ method: 'POST', url: '/other/edit', payload: 'i=1' }),
    await api.send({ url: '/other/things/1' }),
    await post('marks', '{"ids":"none"}'),
  ]) {
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.body).toMatch(/^Error=\w/);
  }
});
