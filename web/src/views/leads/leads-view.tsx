import { Link, Route, Switch, useLocation, useSearchParams } from 'wouter';
import { JobDetails } from './job/job-details';
import { Jobs } from './jobs/jobs';
import { LeadsList } from './table/leads-list';
import './leads.css';

export function LeadsView() {
  const [location] = useLocation();
  const [search] = useSearchParams();
  const all = location === '/leads' && search.get('show') === 'all';
  return (
    <section className="page leads-view">
      <div className="page-head">
        <h1>Leads</h1>
        <nav className="lead-parts" aria-label="Leads">
          <Link href="/leads" aria-current={location === '/leads' && !all ? 'page' : undefined}>
            Searches
          </Link>
          <Link href="/leads?show=all" aria-current={all ? 'page' : undefined}>
            All leads
          </Link>
        </nav>
      </div>
      <Switch>
        <Route path="/leads/:id">{({ id }) => <JobDetails key={id} id={decodeURIComponent(id)} />}</Route>
        <Route>{all ? <LeadsList /> : <Jobs />}</Route>
      </Switch>
    </section>
  );
}
