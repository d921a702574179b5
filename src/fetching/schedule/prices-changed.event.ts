import { z } from 'zod';
import { defineEvent } from '../../platform/events/events.js';

/** What a fetch must be worth was worked out anew. */
export const pricesChanged = defineEvent('prices-changed', z.object({}));
