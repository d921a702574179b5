import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** An import's status or its counts have changed. */
export const importChanged = defineEvent('import-changed', z.object({ importId: Id }));
