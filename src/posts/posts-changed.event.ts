import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** Maximum number of ids in one event, limited by the payload size of NOTIFY. */
export const MAX_IDS = 300;

export const postsChanged = defineEvent(
  'posts-changed',
  z.object({ sourceId: Id, revision: z.int(), newPostIds: z.array(Id).max(MAX_IDS) }),
);
