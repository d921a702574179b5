import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent, Events } from '../../platform/events/events.js';

export const publicationChanged = defineEvent('publication-changed', z.object({ publicationId: Id, userId: Id }));

/** The statement must return the publication's `id` and `user_id`. */
export const telling = Events.notifying(
  publicationChanged,
  sql`jsonb_build_object('publicationId', id::text, 'userId', user_id::text)`,
);
