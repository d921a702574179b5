import { Get, Header, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { Following } from '../../../following/following.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { RequestParameters } from '../../../platform/api/request-parameters.js';
import { ApiError } from '../../../platform/errors/api-error.js';
import { type UnreadCount, UnreadCounts } from '../../../posts/reading/unread-counts.js';
import { ReaderAnswers } from '../core/reader-answers.js';
import { GoogleReaderApi, JSON_TYPE, OK, TEXT } from './google-reader-api.js';
import { feedStream, labelStream, parseStream, READING_LIST, STARRED } from './stream-id.js';
import { toFolder } from './subscriptions.controller.js';

/** Labels are folders. */
@GoogleReaderApi()
export class TagsController {
  constructor(
    private readonly counts: UnreadCounts,
    private readonly answers: ReaderAnswers,
    private readonly following: Following,
  ) {}

  @Get('tag/list')
  async list(@CurrentUser() { id }: User, @Res() reply: FastifyReply) {
    const build = async () => {
      const folders = new Set((await this.counts.ofUser(id)).flatMap(({ folder }) => folder ?? []));
      const labels = [...folders].toSorted().map((folder) => ({ id: labelStream(folder), type: 'folder' }));
      return { type: JSON_TYPE, body: JSON.stringify({ tags: [{ id: STARRED }, ...labels] }) };
    };
    await this.answers.send(id, 'google tags', build, reply);
  }

  @Get('unread-count')
  async unreadCount(
    @CurrentUser() { id }: User,
    @RequestParameters() form: URLSearchParams,
    @Res() reply: FastifyReply,
  ) {
    const isComplete = ['1', 'true'].includes(form.get('all') ?? '');
    const build = async () => {
      const counts = unreadOf(await this.counts.ofUser(id));
      const unreadcounts = isComplete ? counts : counts.filter(({ count }) => count > 0);
      const max = counts.find((one) => one.id === READING_LIST)?.count ?? 0;
      return { type: JSON_TYPE, body: JSON.stringify({ max, unreadcounts }) };
    };
    await this.answers.send(id, `google unread ${isComplete}`, build, reply);
  }

  @Post('rename-tag')
  @HttpCode(200)
  @AssumedBody('form')
  @Header('Content-Type', TEXT)
  async rename(@CurrentUser() { id }: User, @RequestParameters() form: URLSearchParams) {
    const from = labelIn(form.get('s')) ?? form.get('t') ?? '';
    const to = labelIn(form.get('dest'));
    if (to === undefined) throw new ApiError('bad_request', 'The parameter `dest` is not a label.');
    if (!(await this.following.renameFolder(id, from, toFolder(to)))) throw unknown(from);
    return OK;
  }

  @Post('disable-tag')
  @HttpCode(200)
  @AssumedBody('form')
  @Header('Content-Type', TEXT)
  async disable(@CurrentUser() { id }: User, @RequestParameters() form: URLSearchParams) {
    const labels = [...form.getAll('s').flatMap((text) => labelIn(text) ?? []), ...form.getAll('t')];
    for (const label of labels) if (!(await this.following.removeFolder(id, label))) throw unknown(label);
    return OK;
  }
}

const unknown = (label: string) => new ApiError('not_found', `There is no label "${label}".`);

function labelIn(text: string | null): string | undefined {
  const stream = text === null ? undefined : parseStream(text);
  return stream?.kind === 'label' ? stream.label : undefined;
}

interface ListedCount {
  id: string;
  count: number;
  newestItemTimestampUsec: string;
}

function unreadOf(counts: UnreadCount[]): ListedCount[] {
  const folders = new Set(counts.flatMap(({ folder }) => folder ?? []));
  return [
    toCount(READING_LIST, counts),
    ...[...folders].map((folder) => {
      const own = counts.filter((one) => one.folder === folder);
      return toCount(labelStream(folder), own);
    }),
    ...counts.map((one) => toCount(feedStream(one.sourceId), [one])),
  ];
}

function toCount(id: string, counts: UnreadCount[]): ListedCount {
  const newestAt = Math.max(0, ...counts.map((one) => one.newestAt ?? 0));
  const count = counts.reduce((sum, { unread }) => sum + unread, 0);
  return { id, count, newestItemTimestampUsec: String(Math.ceil(newestAt) * 1_000) };
}
