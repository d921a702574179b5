import { useState } from 'react';
import { FailedItems } from './failed-items';
import { ImportFeeds } from './import-feeds';
import type { Import } from './use-import';

type Choice = 'feeds' | 'failed feeds' | 'failed items';

export function ImportParts({ run }: { run: Import }) {
  const [choice, setChoice] = useState<Choice>('feeds');
  const choices: [Choice, string][] = [
    ['feeds', `All feeds (${run.feeds.total.toLocaleString('en')})`],
    ['failed feeds', `Failed feeds (${run.feeds.failed.toLocaleString('en')})`],
    ['failed items', `Failed items (${run.items.failed.toLocaleString('en')})`],
  ];
  return (
    <section className="panel" aria-labelledby="parts">
      <h2 id="parts" className="hidden">
        Feeds and failures
      </h2>
      <div className="row import-parts-choice">
        {choices.map(([name, label]) => (
          <button key={name} type="button" aria-pressed={choice === name} onClick={() => setChoice(name)}>
            {label}
          </button>
        ))}
      </div>
      {choice === 'feeds' && <ImportFeeds run={run} />}
      {choice === 'failed feeds' && <ImportFeeds run={run} status="failed" />}
      {choice === 'failed items' && <FailedItems run={run} />}
    </section>
  );
}
