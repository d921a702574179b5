import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** Most ids in one event, by what PostgreSQL carries. */
export const MAX_IDS = 300;

/** Posts of a source were added, changed or removed. `revision` is the source's from then on. */
export const postsChanged = defineEvent(
  'posts-changed',
  z.object({ sourceId: Id, revision: z.int(), newPostIds: z.array(Id).max(MAX_IDS) }),
);
