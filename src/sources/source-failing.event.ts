import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** A source has failed for so long that its followers are notified. */
export const sourceFailing = defineEvent('source-failing', z.object({ sourceId: Id }));
