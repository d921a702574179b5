import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/** The followers are too many to be reported one by one. Caches of what users follow must be cleared. */
export const followersMoved = defineEvent('followers-moved', z.object({ from: Id, to: Id }));
