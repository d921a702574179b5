import { ProgressBar } from '../../../design/progress-bar';
import { RelativeTime } from '../../../design/relative-time';
import { useAccounts } from '../accounts/use-accounts';
import { roomOf } from './room-of';
import { type Platform, usePlatforms } from './use-platforms';

/** How many posts may still go out, on the platforms that one has accounts on. */
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
  const { label, due, roomAt } = platform;
  const room = roomOf(platform);
  return (
    <li>
      <div className="row">
        <strong>{label}</strong>
        {due.yours > 0 && <span className="soft">{due.yours} due</span>}
      </div>
      {room ? (
        <ProgressBar label={`${label}: used of its limit`} done={room.used} total={room.most} />
      ) : (
        <div className="no-limit" />
      )}
      <p className="soft small">
        {room ? room.words : 'Limits itself, account by account'}
        {roomAt && (
          <>
            {'; room '}
            <RelativeTime at={roomAt} />
          </>
        )}
      </p>
    </li>
  );
}
