import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ProblemNote } from './design/problem-note';
import { Waiting } from './design/waiting';
import { KeyboardHelp, showKeyboardHelp } from './keyboard/keyboard-help';
import { useKeys } from './keyboard/use-keys';
import { Navigation } from './navigation';
import { useMe } from './session/use-me';
import { VIEWS, type View } from './views/views';

export function App() {
  const me = useMe();
  if (me.data) return <Shell admin={me.data.scope === 'admin'} />;
  if (me.error) return <ProblemNote error={me.error} onRetry={() => me.refetch()} />;
  return <Waiting for="Millrace" />;
}

function Shell({ admin }: { admin: boolean }) {
  const views = VIEWS.filter(({ adminOnly }) => admin || !adminOnly);
  useViewKeys(views);
  useTitle();
  return (
    <div className="shell">
      <a className="skip" href="#view">
        Skip to content
      </a>
      <Navigation views={views} />
      <main id="view" tabIndex={-1}>
        <Suspense fallback={<Waiting for="the page" />}>
          <Switch>
            {views.map(({ path, Show }) => (
              <Route key={path} path={`${path}/*?`} component={Show} />
            ))}
            <Route path="/">
              <Redirect to={views[0]?.path ?? '/feed'} replace />
            </Route>
            <Route>
              <NoSuchView />
            </Route>
          </Switch>
        </Suspense>
      </main>
      <KeyboardHelp />
    </div>
  );
}

function NoSuchView() {
  return (
    <section className="page">
      <h1>Page not found</h1>
      <p>
        This page does not exist, or your key has no access to it. <a href="/feed">Go to your feed</a>.
      </p>
    </section>
  );
}

function useTitle(): void {
  const [location] = useLocation();
  useEffect(() => {
    const view = VIEWS.find(({ path }) => location.startsWith(path));
    document.title = view ? `${view.name} · Millrace` : 'Millrace';
  }, [location]);
}

function useViewKeys(views: readonly View[]): void {
  const [, navigate] = useLocation();
  const goTo = views.map(({ key, path }) => [`g ${key}`, () => navigate(path)] as const);
  useKeys({ ...Object.fromEntries(goTo), '?': showKeyboardHelp });
}
