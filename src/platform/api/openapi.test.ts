import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url });
});
afterAll(() => api?.stop());

const GUARDED = [
  '/docs',
  '/docs/',
  '/docs/index.html',
  '/docs/swagger-ui-init.js',
  '/docs/swagger-ui.css',
  '/openapi.json',
];

it('needs an admin for the document and every part of its page, however the address is spelt', async () => {
  const { key: userKey } = (
    await api.send({ method: 'POST', url: '/api/v1/keys', key: api.adminKey, payload: {} })
  ).json();
  for (const url of [...GUARDED, '/%64ocs', '/docs/%73wagger-ui.css', '/openapi%2Ejson']) {
    expect((await api.send({ url })).statusCode, url).toBe(401);
    expect((await api.send({ url, key: userKey })).json().code, url).toBe('admin_required');
    expect((await api.send({ url, key: api.adminKey })).statusCode, url).toBe(200);
  }
});

it('sends a browser to sign in and back', async () => {
  const response = await api.send({ url: '/docs?x=1', headers: { accept: 'text/html,*/*' } });
  expect(response.statusCode).toBe(302);
  expect(response.headers.location).toBe('/sign-in?next=%2Fdocs%3Fx%3D1');
});

it('serves the page from this server alone', async () => {
  const { body, headers } = await api.send({ url: '/docs', key: api.adminKey });
  expect(body).not.toMatch(/(src|href)=["']?(https?:)?\/\//);
  expect(headers['content-security-policy']).toContain("style-src 'self' 'unsafe-inline'");
  expect(headers['content-security-policy']).not.toMatch(/https?:/);
});

it('is open to all where configured', async () => {
  const open = await startApi({ databaseUrl: db.url, config: { openPaths: new Set(['docs']) } });
  try {
    for (const url of GUARDED) expect((await open.send({ url })).statusCode, url).toBe(200);
  } finally {
    await open.stop();
  }
});

it('describes paths, inputs, outputs and problems', async () => {
  const document = (await api.send({ url: '/openapi.json', key: api.adminKey })).json();
  expect(document.openapi).toMatch(/^3\./);
  const { get, post } = document.paths['/api/v1/users'];
  expect(post.requestBody.content['application/json'].schema).toMatchObject({
    type: 'object',
    properties: { externalId: { type: 'string' }, name: { type: 'string' } },
    additionalProperties: false,
  });
  expect(get.parameters.map(({ name }: { name: string }) => name)).toEqual(['limit', 'cursor']);
  expect(get.responses[200].content['application/json'].schema.properties).toHaveProperty('nextCursor');
  expect(get.responses.default.content).toHaveProperty('application/problem+json');
  expect(document.components.schemas.Problem.required).toContain('requestId');
});

it('tells how to authenticate, and where nobody needs to', async () => {
  const { security, components, paths } = (await api.send({ url: '/openapi.json', key: api.adminKey })).json();
  expect(security).toEqual([{ key: [] }, { cookie: [] }, { key: [], actingFor: [] }]);
  expect(components.securitySchemes).toMatchObject({
    key: { type: 'http', scheme: 'bearer' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'millrace_session' },
    actingFor: { type: 'apiKey', in: 'header', name: 'X-Millrace-User' },
  });
  expect(components.securitySchemes.key).not.toHaveProperty('bearerFormat');
  for (const open of [paths['/health/live'].get, paths['/api/v1/session'].post]) expect(open.security).toEqual([{}]);
  expect(paths['/api/v1/session'].delete.security).toBeUndefined();
});

it('gives every operation an id of its own', async () => {
  const { paths } = (await api.send({ url: '/openapi.json', key: api.adminKey })).json();
  const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap((path) =>
    Object.values(path),
  );
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids).toContain('Users_me');
  expect(new Set(ids).size).toBe(ids.length);
});
