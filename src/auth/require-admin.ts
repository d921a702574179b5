import { ApiError } from '../platform/errors/api-error.js';
import type { User } from './user.js';

/** `actingFor` is the header that makes an admin somebody else. */
export function requireAdmin({ scope }: User, actingFor?: string | string[]): void {
  if (scope === 'admin' && actingFor === undefined) return;
  throw new ApiError('admin_required', 'This needs an admin key that acts for itself.');
}
