import { z } from 'zod';
import { defineEvent } from '../events/events.js';

export const hostClosed = defineEvent('hosts.closed', z.object({}));

/** Of any host: it was set, learned or forgotten. */
export const hostLimitsChanged = defineEvent('hosts.limits-changed', z.object({}));
