import { z } from 'zod';
import { defineEvent } from '../../platform/events/event-definition.js';

/** What a fetch must be worth was worked out anew. */
export const pricesChanged = defineEvent('prices-changed', z.object({}));
