import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const here = import.meta.url;
/** The path is different in `src/` and in `dist/src/`. */
export const BUILT_FILES = fileURLToPath(new URL(here.includes('/dist/src/') ? '../../web/' : '../../dist/web/', here));

/** The files may be cached for long, because their names change with their content. */
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
