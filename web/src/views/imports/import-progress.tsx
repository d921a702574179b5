import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { countOf } from '../../design/count-of';
import { ProgressBar } from '../../design/progress-bar';
import { RelativeTime } from '../../design/relative-time';
import { feedsText, optionsText, paceText } from './import-texts';
import type { Import } from './use-import';

const FIGURES = [
  ['Items found', 'found'],
  ['New', 'new'],
  ['Updated', 'updated'],
  ['Unchanged', 'unchanged'],
  ['Failed', 'failed'],
] as const;

export function ImportProgress({ run }: { run: Import }) {
  const now = useSecond(!run.completedAt);
  const { feeds, items, duplicateFeeds, rerunOf } = run;
  return (
    <section className="panel" aria-labelledby="progress">
      <h2 id="progress" className="hidden">
        Progress
      </h2>
      <div className="import-figures">
        <strong>{feedsText(feeds)}</strong>
        <span className="soft">{paceText(run, now)}</span>
      </div>
      <ProgressBar label="Feeds" done={feeds.done + feeds.failed} failed={feeds.failed} total={feeds.total} />
      <dl className="stats import-stats">
        {FIGURES.map(([name, outcome]) => (
          <div key={outcome}>
            <dt>{name}</dt>
            <dd>{items[outcome].toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      <p className="soft small">
        Started <RelativeTime at={run.startedAt} />. {optionsText(run.options)}.
        {duplicateFeeds > 0 && ` ${countOf(duplicateFeeds, 'feed was', 'feeds were')} listed more than once.`}
        {rerunOf && (
          <>
            {' '}
            This is a rerun of <Link href={`/imports/${rerunOf}`}>import {rerunOf}</Link>.
          </>
        )}
      </p>
    </section>
  );
}

/** The current time, updated every second while `isRunning`. */
function useSecond(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
