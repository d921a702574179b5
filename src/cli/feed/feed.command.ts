import { z } from 'zod';
import { apiAction, type Call } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { watchUntil } from '../api/event-stream.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, UsageError } from '../command.js';
import { coloured } from '../show/colour.js';
import { printable } from '../show/printable.js';
import type { Column } from '../show/table.js';
import { fromNow, localTime } from '../show/times.js';

const Post = z.object({
  id: z.string(),
  sourceId: z.string(),
  source: z.object({ title: z.string().nullable() }),
  title: z.string().nullable(),
  content: z.string(),
  url: z.string().nullable(),
  publishedAt: z.string(),
  read: z.boolean(),
  starred: z.boolean(),
});
type Post = z.infer<typeof Post>;

/** Short posts have no title, but say all in their text. */
const headline = ({ title, content }: Post) => title ?? content.replaceAll(/<[^>]*>/g, ' ').slice(0, 200);

const COLUMNS: Column<Post>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: '', show: ({ read, starred }) => `${read ? ' ' : '•'}${starred ? '★' : ' '}`.trimEnd() || ' ' },
  { title: 'PUBLISHED', show: ({ publishedAt }) => fromNow(publishedAt) },
  { title: 'SOURCE', show: ({ source }) => source.title, cuts: true },
  { title: 'TITLE', show: headline, cuts: true },
  { title: 'ADDRESS', show: ({ url }) => url, spare: true },
];

const OPTIONS = {
  source: { value: 'id', help: 'only posts of this source' },
  folder: { value: 'folder', help: 'only posts of sources in this folder' },
  search: { value: 'text', help: 'only posts with these words' },
  unread: { help: 'only what you have not read (•)' },
  starred: { help: 'only what you have starred (★)' },
  watch: { help: 'new posts as they arrive, until Ctrl+C; only --source goes with it' },
  ...LIST_OPTIONS,
} as const;

const SUMMARY = 'lists the newest posts of what you follow, or shows new ones as they arrive';

export const feed: Command = {
  name: 'feed',
  summary: SUMMARY,
  actions: [
    apiAction({
      summary: SUMMARY,
      options: OPTIONS,
      notes: 'With --watch and --json every post is one line of JSON.',
      async run(call) {
        const { source, folder, search: q, unread, starred, watch } = call.values;
        if (watch) return watchPosts(call);
        const query = { source, folder, q, unread: unread || undefined, starred: starred || undefined };
        const none = 'There is nothing to show. `millrace follow <url>` brings something in.';
        return showList(call, { path: '/feed', query, row: Post, columns: COLUMNS, none });
      },
    }),
  ],
};

/** Ends by Ctrl+C only, as an error. */
async function watchPosts({ api, values, terminal }: Call<typeof OPTIONS>): Promise<never> {
  const others = (['folder', 'search', 'unread', 'starred', 'limit', 'all'] as const).filter((name) => values[name]);
  if (others.length) throw new UsageError(`--${others[0]} does not go with --watch`);
  return watchUntil<never>(api, '/feed/stream', ({ event, data }) => {
    if (event === 'reset') terminal.err('More was missed than can be told one by one; `millrace feed` has it.\n');
    if (event !== 'post') return undefined;
    const post = read(Post, data);
    const isWanted = values.source === undefined || post.sourceId === values.source;
    if (isWanted) terminal.out(values.json ? `${JSON.stringify(data)}\n` : lineOf(post, terminal.colours));
    return undefined;
  });
}

function lineOf(post: Post, colours: boolean): string {
  const source = coloured(printable(post.source.title ?? ''), 'bold', colours);
  const where = coloured(post.url ? printable(post.url) : '', 'grey', colours);
  return `${localTime(post.publishedAt)}  ${source}  ${printable(headline(post))}  ${where}`.trimEnd().concat('\n');
}
