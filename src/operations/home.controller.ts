import { Controller, Get, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { sendPlainPage } from '../platform/api/plain-page.js';
import { Public } from '../platform/api/public.js';

const CONTENT = `<h1>Millrace is running</h1>
<ul>
<li><a href="/docs">API reference</a></li>
<li><a href="/admin/queues">Queues</a></li>
<li><a href="/health/ready">Readiness</a></li>
<li><a href="/sign-in">Sign in</a></li>
</ul>`;

/** Where a browser lands after signing in. */
@Public()
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class HomeController {
  @Get('/')
  home(@Res() reply: FastifyReply) {
    return sendPlainPage(reply, { title: 'Millrace', content: CONTENT });
  }
}
