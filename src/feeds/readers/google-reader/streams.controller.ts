import { Readable } from 'node:stream';
import { Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ChangesNeed } from '../../../auth/keys/needs.js';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { Freshness } from '../../../fetching/schedule/freshness.js';
import { AssumedBody, HeavyAnswer } from '../../../platform/api/request-bodies.js';
import { RequestParameters } from '../../../platform/api/request-parameters.js';
import { ApiError } from '../../../platform/errors/api-error.js';
import { ItemStreams, type StreamPosition } from '../core/item-streams.js';
import { type ReaderAnswer, ReaderAnswers } from '../core/reader-answers.js';
import { ReaderFeeds } from '../core/reader-feeds.js';
import { type ReaderItem, ReaderItems } from '../core/reader-items.js';
import { GoogleReaderApi, JSON_TYPE } from './google-reader-api.js';
import { parseItemId } from './item-id.js';
import { renderStream } from './render-atom.js';
import { READING_LIST } from './stream-id.js';
import { continuationOf, streamRequest } from './stream-request.js';
import { toItem } from './to-item.js';

const MAX_IDS = 100_000;
const MAX_ITEMS = 1_000;
/** Maximum number of items whose contents are asked for by id, and their form's size in bytes. */
export const MAX_NAMED_ITEMS = 10_000;
export const MAX_FORM_BYTES = 1_048_576;
/** Contents of this number of items are in memory at a time. */
const CHUNK_SIZE = 200;
const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

const StreamPath = z.string().max(4_000);

interface StreamContents {
  stream: string;
  items: ReaderItem[];
  next: StreamPosition | undefined;
  isLasting: boolean;
}

@GoogleReaderApi('')
export class StreamsController {
  constructor(
    private readonly streams: ItemStreams,
    private readonly items: ReaderItems,
    private readonly feeds: ReaderFeeds,
    private readonly answers: ReaderAnswers,
    private readonly freshness: Freshness,
  ) {}

  @Get('api/0/stream/items/ids')
  async ids(@CurrentUser() { id }: User, @RequestParameters() form: URLSearchParams, @Res() reply: FastifyReply) {
    this.freshness.refreshStale(id);
    await this.answers.send(id, `google ids ${form}`, () => this.idsIn(id, form), reply);
  }

  @Get('api/0/stream/items/contents')
  @HeavyAnswer()
  async named(@CurrentUser() user: User, @RequestParameters() form: URLSearchParams, @Res() reply: FastifyReply) {
    await this.sendNamed(user, form, reply);
  }

  @Post('api/0/stream/items/contents')
  @HttpCode(200)
  @ChangesNeed('read')
  @AssumedBody('form', { maxBytes: MAX_FORM_BYTES })
  async posted(@CurrentUser() user: User, @RequestParameters() form: URLSearchParams, @Res() reply: FastifyReply) {
    await this.sendNamed(user, form, reply);
  }

  @Get('api/0/stream/contents')
  @HeavyAnswer()
  async contents(@CurrentUser() { id }: User, @RequestParameters() form: URLSearchParams, @Res() reply: FastifyReply) {
    await this.sendContents(id, form.get('s') ?? READING_LIST, { form, reply, render: toJson });
  }

  /** Some clients encode the stream id in the path, and others leave its slashes as they are. */
  @Get('api/0/stream/contents/*')
  @HeavyAnswer()
  async contentsOf(
    @CurrentUser() { id }: User,
    @Param('*', { schema: StreamPath }) stream: string,
    @RequestParameters() form: URLSearchParams,
    @Res() reply: FastifyReply,
  ) {
    await this.sendContents(id, stream || READING_LIST, { form, reply, render: toJson });
  }

  @Get('atom/*')
  @HeavyAnswer()
  async atom(
    @CurrentUser() { id }: User,
    @Param('*', { schema: StreamPath }) stream: string,
    @RequestParameters() form: URLSearchParams,
    @Res() reply: FastifyReply,
  ) {
    await this.sendContents(id, stream || READING_LIST, { form, reply, render: toAtom });
  }

  private async idsIn(userId: string, form: URLSearchParams): Promise<ReaderAnswer> {
    const feeds = await this.feeds.list(userId);
    const request = streamRequest(form.get('s') ?? READING_LIST, form, { maxLimit: MAX_IDS, feeds });
    const page = request && (await this.streams.page(userId, request));
    const body = {
      itemRefs: (page?.items ?? []).map(({ itemId }) => ({ id: itemId })),
      ...(page?.next && { continuation: continuationOf(page.next) }),
    };
    return { type: JSON_TYPE, body: JSON.stringify(body), isLasting: page?.isSettled ?? true };
  }

  private async sendContents(userId: string, stream: string, { form, reply, render }: ContentsExchange): Promise<void> {
    this.freshness.refreshStale(userId);
    const build = async () => render(await this.contentsIn(userId, stream, form));
    await this.answers.send(userId, `google ${render.name} ${stream} ${form}`, build, reply);
  }

  private async contentsIn(userId: string, stream: string, form: URLSearchParams): Promise<StreamContents> {
    const feeds = await this.feeds.list(userId);
    const request = streamRequest(stream, form, { maxLimit: MAX_ITEMS, feeds });
    const page = request && (await this.streams.page(userId, request));
    const postIds = (page?.items ?? []).map(({ postId }) => postId);
    const items = await this.items.find(userId, postIds);
    return { stream, items, next: page?.next, isLasting: page?.isSettled ?? true };
  }

  private async sendNamed({ id }: User, form: URLSearchParams, reply: FastifyReply): Promise<void> {
    const itemIds = namedItems(form);
    const postIds = [...new Set((await this.items.resolve(id, itemIds)).values())];
    const inOrder = form.get('r') === 'o' ? postIds.toReversed() : postIds;
    await reply.type(JSON_TYPE).send(Readable.from(this.written(id, inOrder)));
  }

  private async *written(userId: string, postIds: string[]): AsyncGenerator<string> {
    yield `${JSON.stringify(headOf({ stream: READING_LIST, items: [] })).slice(0, -1)},"items":[`;
    let isFirst = true;
    for (let at = 0; at < postIds.length; at += CHUNK_SIZE) {
      for (const item of await this.items.find(userId, postIds.slice(at, at + CHUNK_SIZE))) {
        yield `${isFirst ? '' : ','}${JSON.stringify(toItem(item))}`;
        isFirst = false;
      }
    }
    yield ']}';
  }
}

interface ContentsExchange {
  form: URLSearchParams;
  reply: FastifyReply;
  render: (contents: StreamContents) => ReaderAnswer;
}

export function namedItems(form: URLSearchParams): string[] {
  const given = form.getAll('i');
  if (given.length > MAX_NAMED_ITEMS)
    throw new ApiError('bad_request', `A request may name ${MAX_NAMED_ITEMS} items at most.`);
  return given.flatMap((text) => parseItemId(text) ?? []);
}

function toJson(contents: StreamContents): ReaderAnswer {
  const { items, next, isLasting } = contents;
  const body = {
    ...headOf(contents),
    items: items.map(toItem),
    ...(next && { continuation: continuationOf(next) }),
  };
  return { type: JSON_TYPE, body: JSON.stringify(body), isLasting };
}

/** The time depends on the items alone, so that the same items make the same answer. */
const headOf = ({ stream, items }: Pick<StreamContents, 'stream' | 'items'>) => ({
  direction: 'ltr',
  id: stream,
  title: items[0]?.sourceTitle ?? stream,
  updated: Math.floor(newestOf(items) / 1_000),
  self: [],
});

function toAtom({ stream, items, isLasting }: StreamContents): ReaderAnswer {
  const title = items[0]?.sourceTitle ?? stream;
  const body = renderStream({ id: stream, title, updated: new Date(newestOf(items)), items });
  return { type: ATOM_TYPE, body, isLasting };
}

const newestOf = (items: ReaderItem[]) => items.reduce((newest, { foundAt }) => Math.max(newest, foundAt.getTime()), 0);
