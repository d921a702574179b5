import { z } from 'zod';
import { Text } from '../../platform/database/columns.js';
import { platforms } from '../platforms.js';
import { GivenSlotRules } from './slot-rules.js';

const [first = '', ...others] = platforms.map(({ name }) => name);
const PlatformName = z.enum([first, ...others]);

const Name = Text.trim().min(1).max(200);
/** The platform's own schema validates the contents. */
const Credentials = z.record(z.string(), z.unknown());
const check = z.boolean().default(true);

export const NewAccount = z.strictObject({
  platform: PlatformName,
  name: Name,
  credentials: Credentials,
  slots: GivenSlotRules.optional(),
  check,
});
export type NewAccount = z.infer<typeof NewAccount>;

export const AccountChange = z
  .strictObject({
    name: Name.optional(),
    credentials: Credentials.optional(),
    /** Null removes all slots. */
    slots: GivenSlotRules.nullable().optional(),
    check,
  })
  .refine(
    ({ name, credentials, slots }) => name !== undefined || credentials !== undefined || slots !== undefined,
    'there is nothing to change: give name, credentials or slots',
  );
export type AccountChange = z.infer<typeof AccountChange>;
