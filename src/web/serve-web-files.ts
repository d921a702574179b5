import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BUILT_FILES } from './built-files.js';

/** Scripts, styles and the icon, compressed when they were built. Names of scripts and styles change with their content. */
export async function serveWebFiles(app: NestFastifyApplication): Promise<void> {
  const assets = join(BUILT_FILES, 'assets');
  if (!existsSync(assets)) return;
  const options = { preCompressed: true, decorateReply: false, wildcard: false, index: false as const };
  await app.register(fastifyStatic, {
    ...options,
    root: assets,
    prefix: '/assets/',
    maxAge: '365d',
    immutable: true,
  });
  await app.register(fastifyStatic, {
    ...options,
    root: BUILT_FILES,
    globIgnore: ['assets/**', 'index.html*'],
    maxAge: '1d',
  });
}
