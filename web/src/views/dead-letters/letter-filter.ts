export interface LetterFilter {
  state: 'open' | 'replayed' | 'discarded' | 'all';
  queue: string;
  /** Part of the reason. */
  reason: string;
}

export const STATES: LetterFilter['state'][] = ['open', 'replayed', 'discarded', 'all'];

/** The filter lives in the address, so that it can be linked to and survives going back. */
export function filterFrom(params: URLSearchParams): LetterFilter {
  return {
    state: STATES.find((state) => state === params.get('state')) ?? 'open',
    queue: params.get('queue') ?? '',
    reason: params.get('reason') ?? '',
  };
}

/** Without what goes without saying. */
export function paramsOf({ state, queue, reason }: LetterFilter): Record<string, string> {
  return { ...(state !== 'open' && { state }), ...(queue && { queue }), ...(reason && { reason }) };
}

/** As the API takes it, for a list; without the state, also for what is done to all open ones. */
export const fitting = ({ queue, reason }: Pick<LetterFilter, 'queue' | 'reason'>) => ({
  ...(queue && { queue }),
  ...(reason && { reason }),
});

/** "all 27 open dead letters of the queue import-item whose reason contains “404”"; no number if more are to come. */
export function allInWords({ queue, reason }: LetterFilter, count: number | undefined): string {
  const which = count === undefined ? 'all' : count === 1 ? 'the only' : `all ${count.toLocaleString('en')}`;
  return [
    `${which} open dead letter${count === 1 ? '' : 's'}`,
    queue && `of the queue ${queue}`,
    reason && `whose reason contains “${reason}”`,
  ]
    .filter(Boolean)
    .join(' ');
}
