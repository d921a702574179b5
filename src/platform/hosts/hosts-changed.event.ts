import { z } from 'zod';
import { defineEvent } from '../events/events.js';

export const hostClosed = defineEvent('hosts.closed', z.object({}));

/** The limit of a host was set, learned or deleted. */
export const hostLimitsChanged = defineEvent('hosts.limits-changed', z.object({}));
