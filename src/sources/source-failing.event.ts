import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

export const sourceFailing = defineEvent('source-failing', z.object({ sourceId: Id }));
