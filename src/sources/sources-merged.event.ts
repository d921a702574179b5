import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/event-definition.js';

/**
 * Two sources became one, and so many users followed the first that they are not told one by one: whoever keeps what users
 * follow must look again for all of them.
 */
export const sourcesMerged = defineEvent('sources-merged', z.object({ from: Id, into: Id }));
