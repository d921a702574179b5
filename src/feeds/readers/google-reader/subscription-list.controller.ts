import { Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { opmlAddress } from '../../../following/opml-address.js';
import { CONFIG, type Config } from '../../../platform/config.js';
import { iconPath } from '../../../sources/site-icons.table.js';
import { serverUrl } from '../../token-access.js';
import { ReaderAnswers } from '../core/reader-answers.js';
import { type ReaderFeed, ReaderFeeds } from '../core/reader-feeds.js';
import { GoogleReaderApi, JSON_TYPE } from './google-reader-api.js';
import { feedStream, labelStream } from './stream-id.js';

@GoogleReaderApi('api/0/subscription')
export class SubscriptionListController {
  constructor(
    private readonly feeds: ReaderFeeds,
    private readonly answers: ReaderAnswers,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  @Get('list')
  async list(@CurrentUser() { id }: User, @Res() reply: FastifyReply) {
    const address = serverUrl(reply.request, this.config.publicUrl);
    const build = async () => {
      const subscriptions = (await this.feeds.list(id)).map((feed) => toSubscription(feed, address));
      return { type: JSON_TYPE, body: JSON.stringify({ subscriptions }) };
    };
    await this.answers.send(id, `google subscriptions ${address}`, build, reply);
  }
}

function toSubscription(feed: ReaderFeed, address: string) {
  const { id, title, externalId, folder, siteUrl, icon, followedAt } = feed;
  const path = iconPath(icon);
  return {
    id: feedStream(id),
    title: title ?? externalId,
    categories: folder === null ? [] : [{ id: labelStream(folder), label: folder }],
    url: opmlAddress(feed),
    htmlUrl: siteUrl ?? '',
    iconUrl: path === null ? '' : new URL(path, address).href,
    sortid: BigInt(id).toString(16).padStart(8, '0'),
    firstitemmsec: String(followedAt.getTime()),
  };
}
