import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';

/** Adds to the settings of a route, where `RouteConfig` would replace those of other decorators. */
export const RouteSettings =
  (settings: Partial<FastifyContextConfig>): MethodDecorator =>
  (_target, _name, { value }) =>
    addSettings(value as object, settings);

/** Adds to the settings of all routes of a controller. */
export const ControllerSettings =
  (settings: Partial<FastifyContextConfig>): ClassDecorator =>
  ({ prototype }) => {
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(prototype))) {
      if (value instanceof Function && Reflect.hasMetadata(METHOD_METADATA, value)) addSettings(value, settings);
    }
  };

function addSettings(handler: object, settings: Partial<FastifyContextConfig>): void {
  const others: Partial<FastifyContextConfig> = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {};
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, Object.assign({}, others, settings), handler);
}
