import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useAnnounce } from '../../design/announcer';
import { Badge, type Tone } from '../../design/badge';
import { RelativeTime } from '../../design/relative-time';
import { statusSentence } from './status-sentence';
import type { Health } from './use-health';

type Alert = Health['alerts'][number];

const TONES: Record<Health['status'], Tone> = { healthy: 'good', warning: 'warning', critical: 'bad' };

export function Alerts({ health, isLive }: { health: Health; isLive: boolean }) {
  const { status, alerts, checkedAt } = health;
  useAnnounceChanges(health);
  return (
    <section className={`panel health-status ${status}`} aria-labelledby="status">
      <h2 id="status" className="row">
        <Badge tone={TONES[status]}>{status}</Badge>
        <span>{statusSentence(health)}</span>
      </h2>
      <ul className="health-alerts">
        {alerts.map((alert) => (
          <AlertRow key={`${alert.code} ${alert.since} ${alert.message}`} alert={alert} />
        ))}
      </ul>
      <p className="soft small">
        {isLive ? 'Live, checked ' : 'Connection lost, reconnecting. Checked '}
        <RelativeTime at={checkedAt} />.
      </p>
    </section>
  );
}

function AlertRow({ alert: { severity, message, since, link } }: { alert: Alert }) {
  return (
    <li>
      <Badge tone={TONES[severity]}>{severity}</Badge>
      <div>
        <p>{message}</p>
        <p className="soft small">
          Since <RelativeTime at={since} />
          {link && <> · {leadsOut(link) ? <a href={link}>Details</a> : <Link href={link}>Details</Link>}</>}
        </p>
      </div>
    </li>
  );
}

/** Links that the server answers, not a view of this app. */
const leadsOut = (link: string) => /^\/(admin|api|docs|metrics)\b/.test(link);

function useAnnounceChanges(health: Health): void {
  const announce = useAnnounce();
  const announced = useRef(health.status);
  useEffect(() => {
    if (announced.current === health.status) return;
    announced.current = health.status;
    announce(`Health is now ${health.status}. ${statusSentence(health)}`);
  }, [health, announce]);
}
