import { Link } from 'wouter';
import { EmptyState } from '../../design/empty-state';

export function NoAccounts() {
  return (
    <EmptyState title="Add an account first">
      <p>Millrace publishes through your accounts: Mastodon, Bluesky, a page, a channel or a webhook.</p>
      <Link href="/publish/accounts" className="button">
        Add account
      </Link>
    </EmptyState>
  );
}
