import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Module, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserGate } from '../auth/sessions/browser-gate.js';
import { sendPlainPage } from '../platform/api/plain-page.js';
import { Public } from '../platform/api/public.js';
import { contentSecurityPolicy } from '../platform/api/security-headers.js';
import { BUILT_FILES } from './serve-web-files.js';

/** The addresses of the views in `web/src/views/views.ts`. */
const VIEWS_OF_ONE = ['feed', 'sources', 'imports', 'leads', 'publish', 'dead-letters'];
const ADDRESSES = ['/', 'apps', 'health', ...VIEWS_OF_ONE.flatMap((view) => [view, `${view}/:id`])];

/** Posts contain pictures and sound from any host. Scripts and styles come from this server only. */
const POLICY = contentSecurityPolicy("'self'", { 'img-src': "'self' data: http: https:", 'media-src': 'http: https:' });
const NOT_BUILT = `<h1>The page is not built</h1>
<p>Millrace runs, but this page has not been built. <code>npm run build</code> builds it. The <a href="/docs">API</a> works
without it.</p>`;

@Public()
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
class WebPageController {
  private html: Promise<Buffer> | undefined;

  constructor(private readonly gate: BrowserGate) {}

  @Get(ADDRESSES)
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    if (!(await this.gate.admit(request, reply, 'read'))) return reply;
    const html = await this.read();
    if (!html) return sendPlainPage(reply, { title: 'Millrace', content: NOT_BUILT, status: 503 });
    return reply
      .header('Content-Security-Policy', POLICY)
      .header('Cache-Control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(html);
  }

  private async read(): Promise<Buffer | undefined> {
    this.html ??= readFile(join(BUILT_FILES, 'index.html'));
    try {
      return await this.html;
    } catch (error) {
      this.html = undefined;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

@Module({ controllers: [WebPageController] })
export class WebPageModule {}
