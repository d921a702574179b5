import { SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = 'millrace:public';

/** Served to everyone; all other routes need a key or a session. */
export const Public = () => SetMetadata(IS_PUBLIC, true);
