import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { z } from 'zod';
import { StartupError } from '../errors/startup-error.js';

const CHECKED: Record<number, string> = {
  [RouteParamtypes.BODY]: '@Body',
  [RouteParamtypes.QUERY]: '@Query',
  [RouteParamtypes.PARAM]: '@Param',
};

/** Refuses to start with a handler that would accept unchecked input or drop unknown fields silently. */
@Injectable()
export class StrictInputs implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit() {
    const mistakes = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      return this.scanner
        .getAllMethodNames(metatype.prototype)
        .flatMap((method) => mistakesOf(metatype, method).map((why) => `  ${metatype.name}.${method}: ${why}`));
    });
    if (mistakes.length) throw new StartupError(`Handlers with loose input:\n${mistakes.join('\n')}`);
  }
}

function mistakesOf(controller: object, method: string): string[] {
  const parameters: Record<string, { schema?: z.ZodType }> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
  return Object.entries(parameters).flatMap(([key, { schema }]) => {
    const decorator = CHECKED[Number.parseInt(key, 10)];
    if (!decorator || key.includes('__customRouteArgs__')) return [];
    if (!schema) return [`${decorator} has no schema`];
    return isStrict(schema) ? [] : [`${decorator} accepts unknown fields: use z.strictObject`];
  });
}

/** Returns whether every object in the schema, at any depth, is closed. `z.record` is open on purpose. */
function isStrict(schema: z.ZodType): boolean {
  let strict = true;
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'object' && !isClosed(jsonSchema.additionalProperties)) strict = false;
    },
  });
  return strict;
}

/** Further fields are refused or have a stated type; `z.looseObject` states an empty one. */
function isClosed(additionalProperties: unknown): boolean {
  if (typeof additionalProperties !== 'object' || additionalProperties === null) return additionalProperties === false;
  return Object.keys(additionalProperties).length > 0;
}
