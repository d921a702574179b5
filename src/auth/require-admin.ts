import { ApiError } from '../platform/errors/api-error.js';
import type { User } from './user.js';

export function requireAdmin(user: User): void {
  if (user.scope !== 'admin') throw new ApiError('admin_required', 'This needs an admin key that acts for itself.');
}
