import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent } from '../../platform/events/events.js';

/** A user has marked posts. */
export const readingChanged = defineEvent('reading-changed', z.object({ userId: Id }));
