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
  @Controller()
  class Loose {
    @Post()
    create(@Body({ schema }) body: unknown) {
      return body;
    }
  }
  await expect(start(Loose)).rejects.toThrow(/Loose.create: @Body accepts unknown fields/);
});

it('starts with strict objects, also those that transform, and with records', async () => {
  const schema = z.strictObject({
    filters: z.record(z.string(), z.unknown()),
    at: z.iso.datetime().transform((text) => new Date(text)),
    properties: z.strictObject({ a: z.string() }).optional(),
  });
  @Controller()
  class Strict {
    @Post()
    create(@Body({ schema }) body: unknown) {
      return body;
    }
  }
  await expect(start(Strict)).resolves.toBeUndefined();
});
