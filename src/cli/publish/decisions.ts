import { apiAction } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { UsageError } from '../command.js';
import { table } from '../show/table.js';
import { PUBLICATION_COLUMNS, Publication } from './publication.js';

const pathOf = (id: string) => `/publications/${encodeURIComponent(id)}`;

/** What somebody decides about publications that are there already; one after the other. */
const decision = (word: string, summary: string, decide: 'delete' | 'retry' | 'publish-now') =>
  apiAction({
    word,
    summary,
    args: { name: 'id', least: 1, most: Number.POSITIVE_INFINITY },
    options: {},
    async run({ api, args, terminal, answer }) {
      const items: unknown[] = [];
      for (const id of args)
        items.push(await (decide === 'delete' ? api.delete(pathOf(id)) : api.post(`${pathOf(id)}/${decide}`)));
      return answer(items.length === 1 ? items[0] : { items, nextCursor: null }, () =>
        table(
          PUBLICATION_COLUMNS,
          items.map((one) => read(Publication, one)),
          terminal,
        ),
      );
    },
  });

export const cancel = decision('cancel', 'cancels what is not out yet', 'delete');
export const retry = decision('retry', 'tries again what has failed', 'retry');
export const now = decision('now', 'publishes at once what is scheduled for later', 'publish-now');

export const resolve = apiAction({
  word: 'resolve',
  summary: 'says what became of one whose status is unknown, after you have looked on the platform',
  args: { name: 'id', least: 1, most: 1 },
  options: {
    published: { help: 'it is there' },
    'post-id': { value: 'id', help: 'with --published: what the platform calls it' },
    'post-url': { value: 'url', help: 'with --published: where it is' },
    'not-published': { help: 'it is not there' },
    retry: { help: 'with --not-published: publish it now' },
  },
  async run({ api, args: [id = ''], values, terminal, answer }) {
    if (values.published === values['not-published'])
      throw new UsageError('say what you have seen there: --published or --not-published');
    const { 'post-id': platformPostId, 'post-url': platformUrl } = values;
    const outcome = values.published
      ? { outcome: 'published', platformPostId, platformUrl }
      : { outcome: 'not_published', retry: values.retry };
    const resolved = await api.post(`${pathOf(id)}/resolve`, outcome);
    return answer(resolved, () => table(PUBLICATION_COLUMNS, [read(Publication, resolved)], terminal));
  },
});
