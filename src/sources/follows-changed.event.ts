import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { defineEvent } from '../platform/events/events.js';

export const followsChanged = defineEvent('follows-changed', z.object({ userId: Id }));
