import { z } from 'zod';

/**
 * Where to go after signing in: a path of this server. `//host`, backslashes and control characters, which
 * browsers read as another host, are not paths.
 */
export const NextPage = z
  .string()
  .max(2000)
  .regex(/^\/(?!\/)[\w\-./?=&%:@,+~#!$()*;[\]]*$/, 'a path of this server');
