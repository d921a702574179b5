import { Body, Controller, Inject, Post } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { LOG, type Log } from '../log/log.js';

const Note = z.strictObject({ text: z.string() });

@Controller('notes')
class NotesController {
  constructor(@Inject(LOG) private readonly log: Log) {}

  @Post()
  async create(@Body({ schema: Note }) note: z.infer<typeof Note>) {
    await new Promise((resolve) => setImmediate(resolve));
    this.log.info({ event: 'noted' }, 'Noted');
    return note;
  }
}

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url, controllers: [NotesController] });
});
afterAll(() => api?.stop());

const lineOf = (id: unknown, event: string) =>
  api.lines.filter((line) => line.requestId === id && line.event === event);

it("keeps the caller's request id where it is sane and makes one otherwise", async () => {
  const idFor = async (given?: string) =>
    (await api.send({ url: '/health/live', headers: given ? { 'x-request-id': given } : {} })).headers['x-request-id'];
  expect(await idFor('trace-1.2:3_4')).toBe('trace-1.2:3_4');
  const made = await Promise.all([idFor(), idFor('has spaces'), idFor('x'.repeat(101)), idFor('<script>')]);
  expect(new Set(made).size).toBe(4);
  for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

it('puts request, user and key on every log line of a request, after its body was read too', async () => {
  const payload = { text: 'x'.repeat(60_000) };
  const response = await api.send({ method: 'POST', url: '/api/v1/notes', key: api.adminKey, payload });
  expect(response.statusCode).toBe(201);
  const id = response.headers['x-request-id'];
  expect(lineOf(id, 'noted')).toMatchObject([{ userId: expect.any(String), keyId: expect.any(String) }]);
});

it('leaves one line a request, without its query', async () => {
  const { headers } = await api.send({ url: '/api/v1/users/me?token=secret', key: api.adminKey });
  const lines = lineOf(headers['x-request-id'], 'request_ended');
  expect(lines).toMatchObject([
    { method: 'GET', path: '/api/v1/users/me', userId: expect.any(String), keyId: expect.any(String) },
  ]);
  expect(lines[0]).toMatchObject({ status: expect.any(Number), ms: expect.any(Number) });
  expect(JSON.stringify(api.lines)).not.toContain('secret');
});

it('sends security headers with every answer and allows no other origin', async () => {
  const headers = { origin: 'https://elsewhere.example' };
  for (const url of ['/health/live', '/api/v1/users', '/nowhere', '/sign-in', '/api/v1/%E0%A4%A']) {
    const answer = (await api.send({ url, headers })).headers;
    expect(answer['content-security-policy'], url).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
    expect(answer, url).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
    expect(answer['permissions-policy'], url).toContain('camera=()');
    expect(answer['strict-transport-security'], url).toBeUndefined();
    expect(answer['access-control-allow-origin'], url).toBeUndefined();
  }
});

it('lets nobody keep an answer of the API', async () => {
  for (const url of ['/api/v1/users/me', '/api/v1/keys']) {
    const { headers } = await api.send({ url, key: api.adminKey });
    expect(headers['cache-control'], url).toBe('no-store');
  }
  expect((await api.send({ url: '/api/v1/users/me' })).headers['cache-control']).toBe('no-store');
});

it('promises HTTPS only where the public address has it', async () => {
  const secure = await startApi({ databaseUrl: db.url, config: { publicUrl: 'https://millrace.example' } });
  try {
    const { headers } = await secure.send({ url: '/health/live' });
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+/);
  } finally {
    await secure.stop();
  }
});
