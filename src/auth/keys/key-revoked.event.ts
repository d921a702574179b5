import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent } from '../../platform/events/events.js';

/** A key no longer works. */
export const keyRevoked = defineEvent('key-revoked', z.object({ keyId: Id }));
