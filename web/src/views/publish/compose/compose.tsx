import { ProblemNote } from '../../../design/problem-note';
import { Waiting } from '../../../design/waiting';
import { useAccounts } from '../accounts/use-accounts';
import { usePlatforms } from '../capacity/use-platforms';
import { NoAccounts } from '../no-accounts';
import { ComposeForm } from './compose-form';

export function Compose() {
  const accounts = useAccounts();
  const platforms = usePlatforms();
  if (accounts.data?.length === 0) return <NoAccounts />;
  if (accounts.data && platforms.data) return <ComposeForm accounts={accounts.data} platforms={platforms.data} />;
  const error = accounts.error ?? platforms.error;
  if (error) return <ProblemNote error={error} onRetry={() => [accounts.refetch(), platforms.refetch()]} />;
  return <Waiting for="your accounts" />;
}
