import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** A user follows other sources than before. */
export const followsChanged = defineEvent('follows-changed', z.object({ userId: Id }));
