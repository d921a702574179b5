import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** The status or the counts of an import have changed. */
export const importChanged = defineEvent('import-changed', z.object({ importId: Id }));
