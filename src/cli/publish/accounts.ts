import { z } from 'zod';
import { type ApiClient, read } from '../api/api-client.js';
import { readList } from '../api/list.js';
import { CommandError, EXIT } from '../command.js';
import { colourOf } from '../show/colour.js';
import { printable } from '../show/printable.js';
import type { Column } from '../show/table.js';
import { fromNow } from '../show/times.js';

/** An account, as far as it is shown. */
export const Account = z.object({
  id: z.string(),
  platform: z.string(),
  name: z.string(),
  status: z.string(),
  lastError: z.string().nullable(),
  platformName: z.string().nullable(),
  closedUntil: z.string().nullable(),
});
type Account = z.infer<typeof Account>;

export const ACCOUNT_COLUMNS: Column<Account>[] = [
  { title: 'ID', show: ({ id }) => id, align: 'right' },
  { title: 'PLATFORM', show: ({ platform }) => platform },
  { title: 'NAME', show: ({ name }) => name, cuts: true },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'KNOWN THERE AS', show: ({ platformName }) => platformName, cuts: true },
  { title: 'CLOSED UNTIL', show: ({ closedUntil }) => fromNow(closedUntil) },
  { title: 'LAST ERROR', show: ({ lastError }) => lastError, cuts: true },
];

/** The ids of accounts that were given by id, by name, or by platform/name where two have the same name. */
export async function accountIds(api: ApiClient, wanted: string[]): Promise<string[]> {
  if (wanted.every((one) => /^\d+$/.test(one))) return wanted;
  const accounts = read(z.array(Account), (await readList(api, { path: '/accounts' })).items);
  return wanted.map((one) => idOf(one, accounts));
}

function idOf(wanted: string, accounts: Account[]): string {
  const fits = accounts.filter(({ id, platform, name }) =>
    [id, name.toLowerCase(), `${platform}/${name}`.toLowerCase()].includes(wanted.toLowerCase()),
  );
  const [one, another] = fits;
  if (one && !another) return one.id;
  const named = (fits.length ? fits : accounts)
    .map(({ platform, name }) => printable(`${platform}/${name}`))
    .join(', ');
  const complaint = fits.length ? `${wanted} could be any of ${named}` : `there is no account ${wanted}`;
  const hint = fits.length ? '' : named ? `; there are ${named}` : '; you have none yet';
  throw new CommandError(`${complaint}${hint}`, EXIT.refused);
}
