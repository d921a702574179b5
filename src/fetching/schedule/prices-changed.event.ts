import { z } from 'zod';
import { defineEvent } from '../../platform/events/events.js';

/** Sent after new request prices were stored. */
export const pricesChanged = defineEvent('prices-changed', z.object({}));
