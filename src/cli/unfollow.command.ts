import { z } from 'zod';
import { apiAction } from './api/api-action.js';
import { type ApiClient, read } from './api/api-client.js';
import { readList } from './api/list.js';
import { type Command, CommandError, EXIT } from './command.js';
import { printable } from './show/printable.js';

const Source = z.object({
  id: z.string(),
  externalId: z.string(),
  siteUrl: z.string().nullable(),
  title: z.string().nullable(),
});
type Source = z.infer<typeof Source>;

const SUMMARY = 'follows a source no longer';

export const unfollow: Command = {
  name: 'unfollow',
  summary: SUMMARY,
  actions: [
    apiAction({
      summary: SUMMARY,
      args: { name: 'id|url', least: 1, most: Number.POSITIVE_INFINITY },
      options: {},
      notes: 'An address is that of the feed or of its site, as `millrace sources` shows it.',
      async run({ api, args, answer }) {
        const chosen = await chosenSources(api, args);
        for (const { id } of chosen) await api.delete(`/sources/${id}/follow`);
        return answer({ items: chosen.map(({ id }) => ({ id })), nextCursor: null }, () =>
          chosen.map(({ title, externalId }) => `No longer following ${printable(title ?? externalId)}\n`).join(''),
        );
      },
    }),
  ],
};

async function chosenSources(api: ApiClient, args: string[]): Promise<Source[]> {
  const areIds = args.every((arg) => /^\d+$/.test(arg));
  if (areIds) return Promise.all(args.map(async (id) => read(Source, await api.get(`/sources/${id}`))));
  const followed = read(z.array(Source), (await readList(api, { path: '/sources' })).items);
  return args.map((arg) => {
    const found = followed.find(({ id, externalId, siteUrl }) =>
      [id, plain(externalId), siteUrl && plain(siteUrl)].includes(/^\d+$/.test(arg) ? arg : plain(arg)),
    );
    if (!found)
      throw new CommandError(`you do not follow ${arg}; \`millrace sources\` lists what you follow`, EXIT.refused);
    return found;
  });
}

/** As people compare addresses: neither the scheme nor a slash at the end makes another one of it. */
const plain = (address: string) =>
  address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');
