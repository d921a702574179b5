import { z } from 'zod';
import { apiAction } from '../api/api-action.js';
import { read } from '../api/api-client.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, UsageError } from '../command.js';
import { printable } from '../show/printable.js';
import { type Column, facts } from '../show/table.js';
import { fromNow, localTime } from '../show/times.js';

const Host = z.object({
  host: z.string(),
  requestsPerMinute: z.number().nullable(),
  origin: z.string().nullable(),
  because: z.string().nullable(),
  usedLastMinute: z.number().nullable(),
  nextTurnAt: z.string().nullable(),
  closedUntil: z.string().nullable(),
  closedBecause: z.string().nullable(),
  sources: z.number(),
  activeSources: z.number(),
});
type Host = z.infer<typeof Host>;

const COLUMNS: Column<Host>[] = [
  { title: 'HOST', show: ({ host }) => host, cuts: true },
  { title: 'A MINUTE', show: ({ requestsPerMinute }) => requestsPerMinute, align: 'right' },
  { title: 'USED', show: ({ usedLastMinute }) => usedLastMinute, align: 'right' },
  { title: 'SOURCES', show: ({ sources }) => sources, align: 'right' },
  { title: 'ACTIVE', show: ({ activeSources }) => activeSources, align: 'right', spare: true },
  {
    title: 'CLOSED',
    show: ({ closedUntil }) => closedUntil && fromNow(closedUntil),
    colour: ({ closedUntil }) => (closedUntil ? 'yellow' : undefined),
  },
  { title: 'WHY', show: ({ because, closedBecause }) => closedBecause ?? because, cuts: true },
];

const list = apiAction({
  word: 'list',
  summary: 'lists the hosts with a limit, and those that are left alone',
  options: {
    sources: { help: 'every host that sources are fetched from' },
    q: { value: 'text', help: 'only those with this in their name' },
    ...LIST_OPTIONS,
  },
  run: (call) => {
    const { sources, q } = call.values;
    return showList(call, {
      path: '/hosts',
      query: { all: sources ? 'true' : undefined, q },
      row: Host,
      columns: COLUMNS,
      none: 'No host has a limit, and none is left alone.',
    });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'shows one host',
  args: { name: 'host', least: 1, most: 1, example: 'example.org' },
  options: {},
  async run({ api, args: [host = ''], answer }) {
    const shown = await api.get(pathOf(host));
    return answer(shown, () => inWords(read(Host, shown)));
  },
});

const limit = apiAction({
  word: 'limit',
  summary: 'sets how many requests a minute a host gets at most',
  args: { name: 'host requests', least: 2, most: 2, example: 'example.org 60' },
  options: {},
  async run({ api, args: [host = '', requests = ''], answer }) {
    if (!/^[1-9]\d{0,6}$/.test(requests))
      throw new UsageError(`requests a minute are a whole number from 1 on, not ${requests}`);
    const shown = await api.put(pathOf(host), { requestsPerMinute: Number(requests) });
    return answer(shown, () => inWords(read(Host, shown)));
  },
});

const forget = apiAction({
  word: 'forget',
  summary: 'forgets the limit of a host, learned or set',
  args: { name: 'host', least: 1, most: 1, example: 'example.org' },
  options: {},
  async run({ api, args: [host = ''], answer }) {
    const done = await api.delete(pathOf(host));
    return answer(done ?? {}, () => `${printable(host)} has no limit any more; what it refuses is learned anew\n`);
  },
});

const pathOf = (host: string) => `/hosts/${encodeURIComponent(host)}`;

function inWords(host: Host): string {
  return facts([
    ['host', host.host],
    ['requests a minute', host.requestsPerMinute ?? 'as many as come'],
    ['because', host.because],
    ['in the last minute', host.usedLastMinute],
    ['left alone until', host.closedUntil && localTime(host.closedUntil)],
    ['because', host.closedBecause],
    ['sources', `${host.sources}, ${host.activeSources} of them active`],
  ]);
}

export const hosts: Command = {
  name: 'hosts',
  summary: 'lists hosts with a limit or left alone, and sets their limits',
  actions: [list, show, limit, forget],
};
