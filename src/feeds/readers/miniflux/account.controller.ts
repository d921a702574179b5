import { Body, Get, Header, HttpCode, Param, Post, Put } from '@nestjs/common';
import { z } from 'zod';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { UsersStore } from '../../../auth/users/users.store.js';
import { Discovery } from '../../../following/discovery.js';
import { opmlAddress } from '../../../following/opml-address.js';
import { OpmlImport } from '../../../following/opml-import.js';
import { renderOpml } from '../../../following/render-opml.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { Id, Text } from '../../../platform/database/columns.js';
import { Clock } from '../../../platform/time/clock.js';
import { SourceViewsStore } from '../../../sources/source-views.store.js';
import { ReadAllStore } from '../../read-all.store.js';
import { bodyOf, MinifluxApi, notFound } from './miniflux-api.js';

/** The version of Miniflux whose API this is. Clients decide by it what they may use. */
const VERSION = '2.2.14';
const MAX_OPML_BYTES = 10_000_000;

const Search = bodyOf(z.object({ url: Text.trim().min(1).max(2_000) }));
type Search = z.infer<typeof Search>;

@MinifluxApi()
export class AccountController {
  constructor(
    private readonly users: UsersStore,
    private readonly reads: ReadAllStore,
  ) {}

  @Get('me')
  async me(@CurrentUser() { id }: User) {
    const user = await this.users.find(id);
    return {
      id: Number(id),
      username: user?.userName ?? user?.name ?? `user-${id}`,
      is_admin: false,
      theme: 'system_serif',
      language: 'en_US',
      timezone: 'UTC',
      entry_sorting_direction: 'desc',
      entry_sorting_order: 'published_at',
      stylesheet: '',
      custom_js: '',
      external_font_hosts: '',
      google_id: '',
      openid_connect_id: '',
      entries_per_page: 100,
      keyboard_shortcuts: true,
      show_reading_time: true,
      entry_swipe: true,
      gesture_nav: 'tap',
      last_login_at: user?.lastSeenAt?.toISOString() ?? null,
      display_mode: 'standalone',
      default_reading_speed: 265,
      cjk_reading_speed: 500,
      default_home_page: 'unread',
      categories_sorting_order: 'unread_count',
      mark_read_on_view: true,
      mark_read_on_media_player_completion: false,
      media_playback_rate: 1,
      block_filter_entry_rules: '',
      keep_filter_entry_rules: '',
      always_open_external_links: false,
      open_external_links_in_new_tab: true,
    };
  }

  @Get('version')
  version() {
    return {
      version: VERSION,
      commit: 'millrace',
      build_date: '',
      go_version: '',
      compiler: '',
      arch: process.arch,
      os: process.platform,
    };
  }

  @Get('integrations/status')
  integrations() {
    return { has_integrations: false };
  }

  @Put('users/:id/mark-all-as-read')
  @HttpCode(204)
  @AssumedBody('json')
  async markAllRead(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    if (id !== user.id) throw notFound();
    await this.reads.readAll(user.id, {});
  }
}

@MinifluxApi()
export class OpmlController {
  constructor(
    private readonly views: SourceViewsStore,
    private readonly imports: OpmlImport,
    private readonly discovery: Discovery,
    private readonly clock: Clock,
  ) {}

  @Get('export')
  @Header('Content-Type', 'text/xml; charset=utf-8')
  async export(@CurrentUser() { id }: User): Promise<string> {
    return renderOpml(await this.views.listed(id), this.clock.now());
  }

  @Post('import')
  @AssumedBody('xml', { maxBytes: MAX_OPML_BYTES })
  async import(@CurrentUser() { id }: User, @Body({ schema: z.string() }) opml: string) {
    await this.imports.run(id, opml);
    return { message: 'Feeds imported successfully' };
  }

  @Post('discover')
  @HttpCode(200)
  @AssumedBody('json')
  async discover(@Body({ schema: Search }) { url }: Search) {
    const found = await this.discovery.find(url);
    return found.map(({ type, title, externalId }) => ({
      title: title ?? externalId,
      url: opmlAddress({ type, externalId }),
      type,
    }));
  }
}
