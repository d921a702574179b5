import { z } from 'zod';
import { Id } from '../../platform/database/columns.js';
import { defineEvent } from '../../platform/events/events.js';

export const keyRevoked = defineEvent('key-revoked', z.object({ keyId: Id }));
