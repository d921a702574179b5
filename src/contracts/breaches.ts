import type { z } from 'zod';

/** Where a message breaks the contract, in one line: `data.posts.3.externalId: …`. */
export function breaches({ issues }: z.ZodError): string {
  const shown = issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'message'}: ${message}`);
  return issues.length > shown.length
    ? `${shown.join('; ')}; and ${issues.length - shown.length} more`
    : shown.join('; ');
}
