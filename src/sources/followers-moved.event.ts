import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

/**
 * The followers of a source follow another one now, and they are too many to be reported one by one: whoever keeps what
 * users follow must look again for all of them.
 */
export const followersMoved = defineEvent('followers-moved', z.object({ from: Id, to: Id }));
