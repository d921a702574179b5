import { Header, HttpCode, Post } from '@nestjs/common';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { RequestParameters } from '../../../platform/api/request-parameters.js';
import { ReadAllStore } from '../../read-all.store.js';
import { ItemStreams, type StreamFilter } from '../core/item-streams.js';
import { ReaderFeeds } from '../core/reader-feeds.js';
import { ReaderItems } from '../core/reader-items.js';
import { GoogleReaderApi, OK, TEXT } from './google-reader-api.js';
import { filterOf, parseStream } from './stream-id.js';
import { timeIn } from './stream-request.js';
import { MAX_FORM_BYTES, MAX_NAMED_ITEMS, namedItems } from './streams.controller.js';

@GoogleReaderApi()
export class MarksController {
  constructor(
    private readonly items: ReaderItems,
    private readonly streams: ItemStreams,
    private readonly feeds: ReaderFeeds,
    private readonly reads: ReadAllStore,
  ) {}

  /** States that have no meaning here are ignored, because clients send them beside those that have. */
  @Post('edit-tag')
  @HttpCode(200)
  @AssumedBody('form', { maxBytes: MAX_FORM_BYTES })
  @Header('Content-Type', TEXT)
  async edit(@CurrentUser() { id }: User, @RequestParameters() form: URLSearchParams) {
    const itemIds = namedItems(form);
    const [added, removed] = [statesIn(form, 'a'), statesIn(form, 'r')];
    const isUnread = removed.has('read') || added.has('kept-unread');
    if (isUnread || added.has('read')) await this.items.markRead(id, itemIds, !isUnread);
    if (added.has('starred') !== removed.has('starred')) await this.items.star(id, itemIds, added.has('starred'));
    return OK;
  }

  /** Items that were found after `ts` stay as they are, because the client has not seen them. */
  @Post('mark-all-as-read')
  @HttpCode(200)
  @AssumedBody('form')
  @Header('Content-Type', TEXT)
  async markAllRead(@CurrentUser() { id }: User, @RequestParameters() form: URLSearchParams) {
    const foundUpTo = timeIn(form.get('ts'));
    const feeds = await this.feeds.list(id);
    for (const stream of new Set(form.getAll('s'))) {
      const filter = filterOf(parseStream(stream), feeds);
      if (filter?.starred) await this.markStarredRead(id, foundUpTo);
      else if (filter && filter.read !== true) await this.reads.readAll(id, whichOf(filter, foundUpTo));
    }
    return OK;
  }

  private async markStarredRead(userId: string, foundUpTo: Date | undefined): Promise<void> {
    const foundBefore = foundUpTo && new Date(foundUpTo.getTime() + 1);
    const unread = await this.streams.items(userId, { starred: true, read: false, foundBefore }, MAX_NAMED_ITEMS);
    const itemIds = unread.map(({ itemId }) => itemId);
    await this.items.markRead(userId, itemIds, true);
  }
}

function statesIn(form: URLSearchParams, name: 'a' | 'r'): Set<string> {
  return new Set(
    form.getAll(name).flatMap((text) => {
      const stream = parseStream(text);
      return stream.kind === 'state' ? [stream.state] : [];
    }),
  );
}

const whichOf = ({ source, folder }: StreamFilter, foundUpTo: Date | undefined) => ({
  source,
  onlyFolder: folder,
  foundUpTo,
});
