/** Which runs are shown. */
export interface RunFilter {
  show: 'failed' | 'later' | 'all';
  /** Empty for all of them. */
  queue: string;
}

export const SHOWN: [show: RunFilter['show'], name: string][] = [
  ['failed', 'that failed'],
  ['later', 'that were put off'],
  ['all', 'all'],
];

/** The filter lives in the address, so that it can be linked to and survives going back. */
export function filterFrom(params: URLSearchParams): RunFilter {
  const [show] = SHOWN.find(([name]) => name === params.get('runs')) ?? ['failed'];
  return { show, queue: params.get('queue') ?? '' };
}

/** Without what goes without saying. */
export const paramsOf = ({ show, queue }: RunFilter): Record<string, string> => ({
  ...(show !== 'failed' && { runs: show }),
  ...(queue && { queue }),
});

const SHOWN_AS = { failed: { failed: 'true' }, later: { outcome: 'later' }, all: {} } as const;

/** As the API takes it. */
export function fitting({ show, queue }: RunFilter): { outcome?: string; failed?: 'true'; queue?: string } {
  return { ...SHOWN_AS[show], ...(queue && { queue }) };
}
