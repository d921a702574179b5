import type { Channel } from './channel.js';
import type { Arguments, MethodName } from './methods.js';

/** What a channel does when its client sends a method. */
export type Handlers = { [N in MethodName]?: (channel: Channel, values: Arguments<N>) => void };
