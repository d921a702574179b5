import { appPasswords } from './app-passwords.command.js';
import type { Command } from './command.js';
import { completion } from './completion.command.js';
import { config } from './config.command.js';
import { conform } from './conform/conform.command.js';
import { feed } from './feed.command.js';
import { follow, unfollow } from './follow.command.js';
import { imports } from './import.command.js';
import { deadLetters } from './operations/dead-letters.command.js';
import { health } from './operations/health.command.js';
import { hosts } from './operations/hosts.command.js';
import { queues } from './operations/queues.command.js';
import { restoreCheck } from './operations/restore-check.command.js';
import { runs } from './operations/runs.command.js';
import { bench, demo, start } from './programs.js';
import { publish } from './publish/publish.command.js';
import { scrape } from './scrape/scrape.command.js';
import { signIn } from './sign-in.command.js';
import { sources } from './sources.command.js';

/** The help shows commands in this order. */
const LISTED: readonly Command[] = [
  start,
  demo,
  signIn,
  appPasswords,
  follow,
  unfollow,
  sources,
  feed,
  imports,
  scrape,
  publish,
  deadLetters,
  queues,
  runs,
  hosts,
  health,
  restoreCheck,
  config,
  conform,
  bench,
];

export const COMMANDS: readonly Command[] = [...LISTED, completion(LISTED)];
