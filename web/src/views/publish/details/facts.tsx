import type { ReactNode } from 'react';
import { RelativeTime } from '../../../design/relative-time';
import { useAccountName } from '../accounts/use-accounts';
import type { Publication } from '../publication';
import { Address } from './content';

export function Facts(publication: Publication) {
  const { accountId, platform, scheduledAt, localTime, timezone, slot, priority, attempts } = publication;
  const { expiresAt, publishedAt, platformUrl, platformPostId } = publication;
  const nameOf = useAccountName();
  return (
    <dl className="facts">
      <Fact name="Account">
        {nameOf(accountId)} ({platform})
      </Fact>
      <Fact name={publishedAt ? 'Was due' : 'Due'}>
        <Exact at={scheduledAt} />
        {timezone && localTime && ` (${localTime.slice(0, 16).replace('T', ' ')} in ${timezone.replaceAll('_', ' ')})`}
        {slot && ', in a slot'}
      </Fact>
      {publishedAt && (
        <Fact name="Published">
          <Exact at={publishedAt} />
        </Fact>
      )}
      {platformUrl && (
        <Fact name="Post">
          <Address to={platformUrl}>Open on the platform</Address>
        </Fact>
      )}
      {!platformUrl && platformPostId && <Fact name="Platform ID">{platformPostId}</Fact>}
      <Fact name="Priority">{priority}</Fact>
      <Fact name="Attempts">{attempts}</Fact>
      {expiresAt && (
        <Fact name="Expires">
          <Exact at={expiresAt} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="break">{children}</dd>
    </div>
  );
}

function Exact({ at }: { at: string }) {
  return (
    <>
      {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
      {', '}
      <RelativeTime at={at} />
    </>
  );
}
