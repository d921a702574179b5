import { z } from 'zod';
import { defineEvent } from '../events/event-definition.js';

/** Some host was closed, or its limit has changed. */
export const hostsChanged = defineEvent('hosts.changed', z.object({}));
