import { Link } from 'wouter';
import { EmptyState } from '../../design/empty-state';

export function NoAccounts() {
  return (
    <EmptyState title="First, an account">
      <p>Posts go out through accounts of yours: a Mastodon or Bluesky account, a page, a channel, or a webhook.</p>
      <Link href="/publish/accounts" className="button">
        Add an account
      </Link>
    </EmptyState>
  );
}
