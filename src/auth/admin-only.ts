import { SetMetadata } from '@nestjs/common';

export const IS_ADMIN_ONLY = 'millrace:admin-only';

/** Needs an admin key that acts for itself. */
export const AdminOnly = () => SetMetadata(IS_ADMIN_ONLY, true);
