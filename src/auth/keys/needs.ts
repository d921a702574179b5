import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import { ApiError } from '../../platform/errors/api-error.js';
import type { KeyScope, User } from '../users/user.js';

export const CHANGES_NEED = 'millrace:changes-need';
export const IS_ADMIN_ONLY = 'millrace:admin-only';

/** The handler needs an admin key that acts for itself. */
export const AdminOnly = (): CustomDecorator => SetMetadata(IS_ADMIN_ONLY, true);

/** Reading always needs the scope `read`. Requests that change something need this scope instead of `write`. */
export const ChangesNeed = (scope: KeyScope): CustomDecorator => SetMetadata(CHANGES_NEED, scope);

/** `actingFor` is the header with which an admin acts for somebody else. */
export function requireAdmin({ scope }: User, actingFor?: string | string[]): void {
  if (scope === 'admin' && actingFor === undefined) return;
  throw new ApiError('admin_required', 'This needs an admin key that acts for itself.');
}

export function requireScope({ scopes }: User, scope: KeyScope): void {
  if (scopes.includes(scope)) return;
  throw new ApiError('scope_required', `This needs a key with the scope ${scope}; this key has ${scopes.join(', ')}.`);
}
