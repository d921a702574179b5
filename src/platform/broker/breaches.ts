import type { z } from 'zod';

const MAX_SHOWN = 5;

export function breaches({ issues }: z.ZodError): string {
  const shown = issues.slice(0, MAX_SHOWN).map(({ path, message }) => `${path.join('.') || 'message'}: ${message}`);
  const more = issues.length - shown.length;
  return more ? `${shown.join('; ')}; and ${more} more` : shown.join('; ');
}
