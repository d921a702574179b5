import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** A source has failed for so long that its followers should know. */
export const sourceFailing = defineEvent('source-failing', z.object({ sourceId: Id }));
