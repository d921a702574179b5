import { z } from 'zod';
import { PublishFailure } from '../../platform.js';
import { type Graph, readIfThere } from '../graph/graph-api.js';
import { uploadMeaning } from '../graph/graph-failure.js';
import { tidied } from '../judge-failure.js';

const STATUSES = ['EXPIRED', 'ERROR', 'FINISHED', 'IN_PROGRESS', 'PUBLISHED'] as const;
const Container = z.object({ status_code: z.enum(STATUSES), status: z.string().nullish().catch(undefined) });
/** `GONE`: Instagram does not know the container, or no longer. */
type ContainerStatus = (typeof STATUSES)[number] | 'GONE';

/** Photos take seconds and videos minutes; Instagram recommends waiting up to five minutes. */
const LOOK_AFTER_SECONDS = [1, 2, 3, 5, 9, 20, 30, 50, 60, 60, 60];

export async function statusOf(graph: Graph, id: string): Promise<{ status: ContainerStatus; words: string }> {
  const container = await readIfThere(graph, { path: id, params: { fields: 'status_code,status' } }, Container);
  return { status: container?.status_code ?? 'GONE', words: container?.status ?? '' };
}

export const isAlive = (status: ContainerStatus): boolean => status === 'FINISHED' || status === 'IN_PROGRESS';

export async function untilFinished(graph: Graph, id: string): Promise<void> {
  for (const seconds of [...LOOK_AFTER_SECONDS, undefined]) {
    const { status, words } = await statusOf(graph, id);
    if (status === 'FINISHED') return;
    if (status === 'ERROR') throw failed(graph, words);
    if (status === 'PUBLISHED') throw alreadyPublished();
    if (status !== 'IN_PROGRESS') throw new PublishFailure('UNAVAILABLE', 'Instagram has dropped what was uploaded');
    if (seconds !== undefined) await graph.tools.pause(seconds * 1000);
  }
  throw new PublishFailure('UNAVAILABLE', 'Instagram is still at work on the media');
}

/** The failure is UNCERTAIN, because the post must be searched for before another one is created. */
export function alreadyPublished(): PublishFailure {
  return new PublishFailure('UNCERTAIN', 'Instagram says that this was published before');
}

function failed({ accessToken }: Graph, words: string): PublishFailure {
  const said = tidied(words, [accessToken]);
  return new PublishFailure(uploadMeaning(words), `Instagram could not use the media${said && `: ${said}`}`);
}
