import { ProgressBar } from '../../../design/progress-bar';
import { RelativeTime } from '../../../design/relative-time';
import { useAccounts } from '../accounts/use-accounts';
import { capacityOf } from './platform-capacity';
import { type Platform, usePlatforms } from './use-platforms';

export function Capacity() {
  const { data: platforms } = usePlatforms();
  const { data: accounts } = useAccounts();
  const used = new Set(accounts?.map(({ platform }) => platform));
  const shown = platforms?.filter(({ name }) => used.has(name)) ?? [];
  if (accounts && !accounts.length) return null;
  return (
    <section className="capacity" aria-label="Remaining capacity">
      <ul>
        {shown.map((platform) => (
          <Meter key={platform.name} {...platform} />
        ))}
      </ul>
    </section>
  );
}

function Meter(platform: Platform) {
  const { label, due, availableAt } = platform;
  const capacity = capacityOf(platform);
  return (
    <li>
      <div className="row">
        <strong>{label}</strong>
        {due.yours > 0 && <span className="soft">{due.yours} due</span>}
      </div>
      {capacity ? (
        <ProgressBar label={`${label}: used`} done={capacity.used} total={capacity.max} />
      ) : (
        <div className="no-limit" />
      )}
      <p className="soft small">
        {capacity ? capacity.text : 'Limited per account by the platform'}
        {availableAt && (
          <>
            {'; free '}
            <RelativeTime at={availableAt} />
          </>
        )}
      </p>
    </li>
  );
}
