export interface RunFilter {
  show: 'failed' | 'later' | 'all';
  /** Empty means all queues. */
  queue: string;
}

export const SHOWN: [show: RunFilter['show'], name: string][] = [
  ['failed', 'failed'],
  ['later', 'postponed'],
  ['all', 'all'],
];

/** The filter is kept in the URL, so that it can be linked to and survives going back. */
export function filterFrom(params: URLSearchParams): RunFilter {
  const [show] = SHOWN.find(([name]) => name === params.get('runs')) ?? ['failed'];
  return { show, queue: params.get('queue') ?? '' };
}

/** Leaves out defaults. */
export const paramsOf = ({ show, queue }: RunFilter): Record<string, string> => ({
  ...(show !== 'failed' && { runs: show }),
  ...(queue && { queue }),
});

const SHOWN_AS = { failed: { failed: 'true' }, later: { outcome: 'later' }, all: {} } as const;

export function fitting({ show, queue }: RunFilter): { outcome?: string; failed?: 'true'; queue?: string } {
  return { ...SHOWN_AS[show], ...(queue && { queue }) };
}
