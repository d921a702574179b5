import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/event-definition.js';

/** Whoever works for it is to stop at once. */
export const importCancelled = defineEvent('import-cancelled', z.object({ importId: Id }));
