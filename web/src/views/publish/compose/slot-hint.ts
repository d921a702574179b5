import type { Account } from '../accounts/use-accounts';

/** Why no slot can be chosen; undefined if one can. */
export function slotHint(targets: Pick<Account, 'name' | 'slots'>[]): string | undefined {
  if (!targets.length) return 'Slots are recurring times of an account. Select an account first.';
  const without = targets.filter(({ slots }) => !slots).map(({ name }) => name);
  if (!without.length) return undefined;
  return `${without.join(', ')} ${without.length === 1 ? 'has' : 'have'} no slots yet. Add recurring times under Accounts.`;
}
