import { apiAction } from '../api/api-action.js';
import type { Answer } from '../api/api-client.js';
import { LIST_OPTIONS, showList } from '../api/list.js';
import { type Command, UsageError } from '../command.js';
import { type Column, facts } from '../show/table.js';
import { printable } from '../show/text.js';
import { fromNow, localTime } from '../show/times.js';

type Host = Answer<'get', '/hosts/{host}'>;

const COLUMNS: Column<Host>[] = [
  { title: 'HOST', show: ({ host }) => host, truncates: true },
  { title: 'PER MINUTE', show: ({ requestsPerMinute }) => requestsPerMinute, align: 'right' },
  { title: 'USED', show: ({ usedLastMinute }) => usedLastMinute, align: 'right' },
  { title: 'SOURCES', show: ({ sources }) => sources, align: 'right' },
  { title: 'ACTIVE', show: ({ activeSources }) => activeSources, align: 'right', optional: true },
  {
    title: 'CLOSED',
    show: ({ closedUntil }) => closedUntil && fromNow(closedUntil),
    colour: ({ closedUntil }) => (closedUntil ? 'yellow' : undefined),
  },
  { title: 'REASON', show: ({ because, closedBecause }) => closedBecause ?? because, truncates: true },
];

const list = apiAction({
  word: 'list',
  summary: 'Lists hosts that have a limit or are closed',
  options: {
    sources: { help: 'Include every host that sources are fetched from' },
    q: { value: 'text', help: 'Search in names' },
    ...LIST_OPTIONS,
  },
  run: (call) => {
    const { sources, q } = call.values;
    return showList(call, {
      path: '/hosts',
      input: { query: { all: sources ? 'true' : undefined, q } },
      columns: COLUMNS,
      none: 'No host has a limit or is closed.',
    });
  },
});

const show = apiAction({
  word: 'show',
  summary: 'Shows a host',
  args: { name: 'host', min: 1, max: 1, example: 'example.org' },
  options: {},
  async run({ api, args: [host = ''], answer }) {
    const view = await api.get('/hosts/{host}', { path: { host } });
    return answer(view, () => describe(view));
  },
});

const limit = apiAction({
  word: 'limit',
  summary: 'Limits the requests per minute to a host',
  args: { name: 'host requests', min: 2, max: 2, example: 'example.org 60' },
  options: {},
  async run({ api, args: [host = '', requests = ''], answer }) {
    if (!/^[1-9]\d{0,6}$/.test(requests))
      throw new UsageError(`<requests> must be a positive whole number, not \`${requests}\`.`);
    const body = { requestsPerMinute: Number(requests) };
    const view = await api.put('/hosts/{host}', { path: { host }, body });
    return answer(view, () => describe(view));
  },
});

const forget = apiAction({
  word: 'forget',
  summary: 'Removes the limit of a host, whether it was set or learned',
  args: { name: 'host', min: 1, max: 1, example: 'example.org' },
  options: {},
  async run({ api, args: [host = ''], answer }) {
    await api.delete('/hosts/{host}', { path: { host } });
    return answer(
      {},
      () => `Removed the limit of ${printable(host)}. A new one is learned if the host refuses requests.\n`,
    );
  },
});

function describe(host: Host): string {
  return facts([
    ['host', host.host],
    ['requests per minute', host.requestsPerMinute ?? 'unlimited'],
    ['reason', host.because],
    ['in the last minute', host.usedLastMinute],
    ['closed until', host.closedUntil && localTime(host.closedUntil)],
    ['closed because', host.closedBecause],
    ['sources', `${host.sources}, ${host.activeSources} active`],
  ]);
}

export const hosts: Command = {
  name: 'hosts',
  summary: 'Lists hosts with a limit, and sets or removes limits',
  actions: [list, show, limit, forget],
};
