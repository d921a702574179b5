import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useAnnounce } from '../../design/announcer';
import { Badge, type Tone } from '../../design/badge';
import { RelativeTime } from '../../design/relative-time';
import { statusSentence } from './status-sentence';
import type { Health } from './use-health';

type Alert = Health['alerts'][number];

const TONES: Record<Health['status'], Tone> = { healthy: 'good', warning: 'warning', critical: 'bad' };

/** The state in a word and a sentence, then what is wrong and what to do about it. */
export function Alerts({ health, isLive }: { health: Health; isLive: boolean }) {
  const { status, alerts, checkedAt } = health;
  useTellChanges(health);
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
        {isLive ? 'Live; looked at ' : 'The live connection is lost and will be tried again. Looked at '}
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
          {link && <> · {leadsOut(link) ? <a href={link}>Look at it</a> : <Link href={link}>Look at it</Link>}</>}
        </p>
      </div>
    </li>
  );
}

/** To what is served beside the page's own views. */
const leadsOut = (link: string) => /^\/(admin|api|docs|metrics)\b/.test(link);

function useTellChanges(health: Health): void {
  const announce = useAnnounce();
  const told = useRef(health.status);
  useEffect(() => {
    if (told.current === health.status) return;
    told.current = health.status;
    announce(`Health is now ${health.status}. ${statusSentence(health)}`);
  }, [health, announce]);
}
