import { Body, Controller, Module, Param, Post, Query, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { StrictInputs } from './strict-inputs.js';

async function start(controller: Type): Promise<void> {
  @Module({ imports: [DiscoveryModule], controllers: [controller], providers: [StrictInputs] })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] }).compile();
  await module.init();
  await module.close();
}

function taking(schema: z.ZodType): Type {
  @Controller()
  class Taking {
    @Post()
    create(@Body({ schema }) body: unknown) {
      return body;
    }
  }
  return Taking;
}

it('refuses to start with input that nobody checks', async () => {
  @Controller()
  class Unchecked {
    @Post(':id')
    create(@Body() body: unknown, @Query() query: unknown, @Param('id') id: string) {
      return [body, query, id];
    }
  }
  await expect(start(Unchecked)).rejects.toThrow(/Unchecked.create: @Body has no schema/);
  await expect(start(Unchecked)).rejects.toThrow(/@Query has no schema/);
  await expect(start(Unchecked)).rejects.toThrow(/@Param has no schema/);
});

it('refuses to start with an object that drops unknown fields, however deep', async () => {
  const schema = z.strictObject({ items: z.array(z.union([z.string(), z.object({ a: z.string() })])) });
  await expect(start(taking(schema))).rejects.toThrow(/Taking.create: @Body accepts unknown fields/);
});

it('refuses to start with an object that passes unknown fields on unchecked', async () => {
  await expect(start(taking(z.looseObject({ a: z.string() })))).rejects.toThrow(/accepts unknown fields/);
  await expect(start(taking(z.object({}).catchall(z.unknown())))).rejects.toThrow(/accepts unknown fields/);
});

it('starts with strict objects, also those that transform, and with records', async () => {
  const schema = z.strictObject({
    filters: z.record(z.string(), z.unknown()),
    at: z.iso.datetime().transform((text) => new Date(text)),
    properties: z.strictObject({ a: z.string() }).optional(),
    labels: z.object({ title: z.string() }).catchall(z.string()),
  });
  await expect(start(taking(schema))).resolves.toBeUndefined();
});
