import { Header, HttpCode, Post } from '@nestjs/common';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { Discovery } from '../../../following/discovery.js';
import { FeedLists } from '../../../following/feed-lists.js';
import { Folder } from '../../../following/folder.js';
import { Following } from '../../../following/following.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { RequestParameters } from '../../../platform/api/request-parameters.js';
import { ApiError } from '../../../platform/errors/api-error.js';
import type { SourceIdentity } from '../../../sources/sources.table.js';
import { type ReaderFeed, ReaderFeeds } from '../core/reader-feeds.js';
import { GoogleReaderApi, OK, TEXT } from './google-reader-api.js';
import { feedAt, feedStream, parseStream } from './stream-id.js';

const MAX_TITLE_LENGTH = 500;

@GoogleReaderApi('api/0/subscription')
export class SubscriptionsController {
  constructor(
    private readonly feeds: ReaderFeeds,
    private readonly following: Following,
    private readonly discovery: Discovery,
    private readonly feedLists: FeedLists,
  ) {}

  @Post('edit')
  @HttpCode(200)
  @AssumedBody('form')
  @Header('Content-Type', TEXT)
  async edit(@CurrentUser() { id }: User, @RequestParameters() form: URLSearchParams) {
    const streams = form.getAll('s');
    if (!streams.length) throw new ApiError('bad_request', 'The parameter `s` is missing.');
    const feeds = await this.feeds.list(id);
    for (const [at, stream] of streams.entries()) await this.editOne(id, { stream, at, form, feeds });
    return OK;
  }

  @Post('quickadd')
  @HttpCode(200)
  @AssumedBody('form')
  async quickAdd(@CurrentUser() { id }: User, @RequestParameters() form: URLSearchParams) {
    const given = form.get('quickadd') ?? '';
    const query = given.replace(/^feed\//, '');
    if (!query) throw new ApiError('bad_request', 'The parameter `quickadd` is missing.');
    try {
      const sourceId = await this.following.follow(id, await this.discovery.sourceOf({ url: query }));
      const feed = (await this.feeds.list(id)).find((one) => one.id === sourceId);
      return { numResults: 1, query, streamId: feedStream(sourceId), streamName: feed ? titleOf(feed) : query };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { numResults: 0, query, error: error.message };
    }
  }

  private async editOne(userId: string, { stream, at, form, feeds }: SubscriptionEdit): Promise<void> {
    const title = titleIn(form.getAll('t')[at] ?? form.get('t'));
    const feed = knownFeed(stream, feeds);
    switch (form.get('ac')) {
      case 'subscribe': {
        const details = { title, folder: folderIn(form, feed?.folder) };
        if (feed) await this.following.change(userId, feed.id, details);
        else await this.following.follow(userId, { ...(await this.sourceOf(stream)), ...details });
        return;
      }
      case 'edit':
        if (!feed) throw notFollowed(stream);
        await this.following.change(userId, feed.id, { title, folder: folderIn(form, feed.folder) });
        return;
      case 'unsubscribe':
        // Clients repeat it after a lost answer.
        if (feed) await this.following.unfollow(userId, feed.id);
        return;
      default:
        throw new ApiError('bad_request', 'The parameter `ac` is not subscribe, edit or unsubscribe.');
    }
  }

  /** The address of a feed that does not answer is followed as well, because the client says that it is one. */
  private async sourceOf(text: string): Promise<SourceIdentity> {
    const stream = parseStream(text);
    if (stream.kind !== 'address') throw notFollowed(text);
    try {
      return await this.discovery.sourceOf({ url: stream.address });
    } catch (error) {
      const source = this.feedLists.identify(stream.address);
      if ('reason' in source) throw error;
      return source;
    }
  }
}

interface SubscriptionEdit {
  stream: string;
  /** Where `stream` is among several. Titles belong to them in the same order. */
  at: number;
  form: URLSearchParams;
  feeds: ReaderFeed[];
}

const notFollowed = (stream: string) => new ApiError('not_found', `You follow no feed ${stream}.`);
const titleOf = ({ title, externalId }: ReaderFeed) => title ?? externalId;

function knownFeed(text: string, feeds: ReaderFeed[]): ReaderFeed | undefined {
  const stream = parseStream(text);
  if (stream.kind === 'feed') return feeds.find(({ id }) => id === stream.id);
  return stream.kind === 'address' ? feedAt(stream.address, feeds) : undefined;
}

const titleIn = (title: string | null) => title?.trim().slice(0, MAX_TITLE_LENGTH) || undefined;

/** Undefined leaves the folder as it is. A feed has one folder, so a label that it does not have cannot be removed. */
function folderIn(form: URLSearchParams, current: string | null | undefined): string | null | undefined {
  const labels = (name: string) =>
    form.getAll(name).flatMap((text) => {
      const stream = parseStream(text);
      return stream.kind === 'label' ? [stream.label] : [];
    });
  const [added] = labels('a');
  if (added !== undefined) return toFolder(added);
  return current !== null && current !== undefined && labels('r').includes(current) ? null : undefined;
}

export function toFolder(label: string): string {
  const folder = Folder.safeParse(label);
  if (folder.success) return folder.data;
  throw new ApiError('bad_request', `The label is not a folder: ${folder.error.issues[0]?.message}.`);
}
