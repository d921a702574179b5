import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/event-definition.js';

/** A publication's status has changed. */
export const publicationChanged = defineEvent('publication-changed', z.object({ publicationId: Id, userId: Id }));
