import { bashScript } from './bash.js';
import type { Completions } from './completions.js';

export const zshScript = (completions: Completions) =>
  `#compdef millrace\nautoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n${bashScript(completions)}`;
