import { Link, Route, Switch, useLocation } from 'wouter';
import { Accounts } from './accounts/accounts';
import { Calendar } from './calendar/calendar';
import { Compose } from './compose/compose';
import { Details } from './details/details';
import { Queue } from './queue/queue';
import { useLivePublications } from './use-live-publications';
import './publish.css';

const PARTS = [
  { path: '/publish', name: 'Queue' },
  { path: '/publish/calendar', name: 'Calendar' },
  { path: '/publish/accounts', name: 'Accounts' },
];

const ONE = /^\/publish\/(?<id>\d+)$/;

export function PublishView() {
  const stream = useLivePublications();
  const [location] = useLocation();
  return (
    <section className="page publish">
      <div className="page-head">
        <h1>Publish</h1>
        <nav className="parts" aria-label="Publishing">
          {PARTS.map(({ path, name }) => (
            <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <span className="live soft small">{stream === 'lost' && 'Connection lost, reconnecting …'}</span>
        <Link
          href="/publish/new"
          className={location === '/publish/new' ? 'button primary-link here' : 'button primary-link'}
          aria-current={location === '/publish/new' ? 'page' : undefined}
        >
          New post
        </Link>
      </div>
      <Switch>
        <Route path="/publish/new" component={Compose} />
        <Route path="/publish/calendar" component={Calendar} />
        <Route path="/publish/accounts" component={Accounts} />
        <Route path={ONE}>{({ id = '' }) => <Details key={id} id={id} />}</Route>
        <Route component={Queue} />
      </Switch>
    </section>
  );
}
