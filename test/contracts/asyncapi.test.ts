import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/platform/config.js';
import { renderAsyncApi } from '../../tools/render-asyncapi.js';

const text = renderAsyncApi(parseConfig({}));

describe('contracts/asyncapi.json', () => {
  it('tells what Millrace does when nothing is configured (vitest -u writes it)', async () => {
    await expect(text).toMatchFileSnapshot('../../contracts/asyncapi.json');
  });

  it('refers only to what it holds', () => {
    const document = JSON.parse(text);
    const references = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference = '']) => reference);
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((reference) => resolve(document, reference) === undefined)).toEqual([]);
  });

  it('lets operations carry only messages of their channel', () => {
    const { operations } = JSON.parse(text);
    for (const { channel, messages, reply } of Object.values<Operation>(operations)) {
      expect(messages.every(({ $ref }) => $ref.startsWith(`${channel.$ref}/messages/`))).toBe(true);
      if (reply) expect(reply.messages.every(({ $ref }) => $ref.startsWith(`${reply.channel.$ref}/`))).toBe(true);
    }
  });
});

interface Reference {
  $ref: string;
}

interface Operation {
  channel: Reference;
  messages: Reference[];
  reply?: { channel: Reference; messages: Reference[] };
}

function resolve(document: unknown, reference: string): unknown {
  const [, ...path] = reference.split('/');
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}
