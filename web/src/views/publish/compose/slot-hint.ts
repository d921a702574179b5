import type { Account } from '../accounts/use-accounts';

/** Why the next free slot cannot be asked for; undefined if it can. */
export function slotHint(targets: Pick<Account, 'name' | 'slots'>[]): string | undefined {
  if (!targets.length) return 'Slots are the recurring times of an account: choose one first.';
  const without = targets.filter(({ slots }) => !slots).map(({ name }) => name);
  if (!without.length) return undefined;
  return `${without.join(', ')} ${without.length === 1 ? 'has' : 'have'} no slots yet: give recurring times under Accounts.`;
}
