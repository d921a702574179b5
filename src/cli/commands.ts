import type { Command } from './command.js';
import { conform } from './conform/conform.command.js';

/** In the order in which the help shows them. */
export const COMMANDS: readonly Command[] = [conform];
