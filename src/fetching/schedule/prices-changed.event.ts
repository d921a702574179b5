import { z } from 'zod';
import { defineEvent } from '../../platform/events/events.js';

export const pricesChanged = defineEvent('prices-changed', z.object({}));
