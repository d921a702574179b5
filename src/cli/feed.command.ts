import { apiAction, type Call } from './api/api-action.js';
import type { Answer } from './api/api-client.js';
import { watchUntil } from './api/event-stream.js';
import { LIST_OPTIONS, showList } from './api/list.js';
import { type Command, UsageError } from './command.js';
import type { Column } from './show/table.js';
import { coloured, printable } from './show/text.js';
import { fromNow, localTime } from './show/times.js';

type Post = Answer<'get', '/posts/{id}'>;

/** Short posts have no title, so their text is shown. */
const headline = ({ title, content }: Post) => title ?? content.replaceAll(/<[^>]*>/g, ' ').slice(0, 200);

const COLUMNS: Column<Post>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: '', show: ({ read, starred }) => `${read ? ' ' : '•'}${starred ? '★' : ' '}`.trimEnd() || ' ' },
  { title: 'PUBLISHED', show: ({ publishedAt }) => fromNow(publishedAt) },
  { title: 'SOURCE', show: ({ source }) => source.title, truncates: true },
  { title: 'TITLE', show: headline, truncates: true },
  { title: 'ADDRESS', show: ({ url }) => url, optional: true },
];

const OPTIONS = {
  source: { value: 'id', help: 'Filter by source' },
  folder: { value: 'folder', help: 'Filter by folder' },
  search: { value: 'text', help: 'Search in posts' },
  unread: { help: 'Only unread posts (•)' },
  starred: { help: 'Only starred posts (★)' },
  watch: { help: 'Show new posts as they arrive, until Ctrl+C; can be combined with --source only' },
  ...LIST_OPTIONS,
} as const;

const YES = 'true' as const;
const SUMMARY = 'Lists the newest posts of the sources you follow, or shows new ones as they arrive';

export const feed: Command = {
  name: 'feed',
  summary: SUMMARY,
  actions: [
    apiAction({
      summary: SUMMARY,
      options: OPTIONS,
      notes: 'With --watch and --json, each post is one line of JSON.',
      async run(call) {
        const { source, folder, search: q, unread, starred, watch } = call.values;
        if (watch) return watchPosts(call);
        const flags = { unread: unread ? YES : undefined, starred: starred ? YES : undefined };
        return showList(call, {
          path: '/feed',
          input: { query: { source, folder, q, ...flags } },
          columns: COLUMNS,
          none: 'No posts found. `millrace follow <url>` adds a source.',
        });
      },
    }),
  ],
};

/** Ends only by Ctrl+C, which is an error. */
async function watchPosts({ api, values, terminal }: Call<typeof OPTIONS>): Promise<never> {
  const others = (['folder', 'search', 'unread', 'starred', 'limit', 'all'] as const).filter((name) => values[name]);
  if (others.length) throw new UsageError(`--${others[0]} cannot be combined with --watch.`);
  return watchUntil<'/feed/stream', never>(api, '/feed/stream', {}, ({ event, data: post }) => {
    if (event === 'reset') terminal.err('Some posts were missed. `millrace feed` lists them.\n');
    if (event !== 'post') return undefined;
    const matches = values.source === undefined || post.sourceId === values.source;
    if (matches) terminal.out(values.json ? `${JSON.stringify(post)}\n` : lineOf(post, terminal.colours));
    return undefined;
  });
}

function lineOf(post: Post, colours: boolean): string {
  const source = coloured(printable(post.source.title ?? ''), 'bold', colours);
  const where = coloured(post.url ? printable(post.url) : '', 'grey', colours);
  return `${localTime(post.publishedAt)}  ${source}  ${printable(headline(post))}  ${where}`.trimEnd().concat('\n');
}
