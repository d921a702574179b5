import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ProgressBar } from '../../design/progress-bar';
import { RelativeTime } from '../../design/relative-time';
import { feedsText, itemsText } from './import-texts';
import { StatusBadge } from './status-badge';
import { type Import, useImportStream } from './use-import';

export function ImportRow({ given, isStreamed }: { given: Import; isStreamed: boolean }) {
  const { id, status, feeds, items, startedAt, rerunOf } = useNewest(given, isStreamed);
  return (
    <li className="import-row">
      <div className="row">
        <Link href={`/imports/${id}`}>Import {id}</Link>
        <StatusBadge status={status} />
        <span className="soft small">
          <RelativeTime at={startedAt} />
          {rerunOf && `, rerun of import ${rerunOf}`}
        </span>
      </div>
      <ProgressBar
        label={`Feeds of import ${id}`}
        done={feeds.done + feeds.failed}
        failed={feeds.failed}
        total={feeds.total}
      />
      <p className="small import-figures">
        <span>{feedsText(feeds)}</span>
        <span className="soft">{itemsText(items)}</span>
      </p>
    </li>
  );
}

/** The stream is ahead of the list until the list knows the end. */
function useNewest(given: Import, isStreamed: boolean): Import {
  const client = useQueryClient();
  const [streamed, setStreamed] = useState<Import>();
  useImportStream(isStreamed ? (streamed ?? given) : undefined, (run) => {
    setStreamed(run);
    if (run.completedAt) void client.invalidateQueries({ queryKey: ['imports'] });
  });
  return given.completedAt ? given : (streamed ?? given);
}
