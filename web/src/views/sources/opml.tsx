import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../../api/client';
import { countOf } from '../../design/count-of';
import { Dialog } from '../../design/dialog';
import { ProblemNote } from '../../design/problem-note';
import { SOURCES_KEY } from './use-sources';

export function Opml() {
  const client = useQueryClient();
  const file = useRef<HTMLInputElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const opml = useMutation({
    mutationFn: async (chosen: File) =>
      answer(api.POST('/api/v1/sources/opml', { body: { opml: await chosen.text() } })),
    onSuccess: () => client.invalidateQueries({ queryKey: SOURCES_KEY }),
    onSettled: () => dialog.current?.showModal(),
  });
  return (
    <div className="row">
      <input
        ref={file}
        type="file"
        hidden
        aria-label="OPML file"
        accept=".opml,.xml,text/x-opml,text/xml,application/xml"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) opml.mutate(chosen);
          target.value = '';
        }}
      />
      <button type="button" disabled={opml.isPending} onClick={() => file.current?.click()}>
        {opml.isPending ? 'Importing …' : 'Import OPML'}
      </button>
      <a className="button" href="/api/v1/sources/opml" download="millrace.opml">
        Export OPML
      </a>
      <Dialog ref={dialog} title="OPML import" onClose={opml.reset}>
        {opml.error && <ProblemNote error={opml.error} />}
        {opml.data && <Imported {...opml.data} />}
      </Dialog>
    </div>
  );
}

interface Result {
  followed: number;
  alreadyFollowed: number;
  failed: { title: string | null; xmlUrl: string; reason: string }[];
}

function Imported({ followed, alreadyFollowed, failed }: Result) {
  return (
    <div className="imported">
      <p>
        You now follow {countOf(followed, 'new source')}; you already followed {alreadyFollowed}.
      </p>
      <p>
        To load the existing posts of these feeds too, <Link href="/imports">start an import</Link> with the same file.
      </p>
      {failed.length > 0 && (
        <>
          <h3>{countOf(failed.length, 'feed')} could not be followed</h3>
          <ul>
            {failed.map(({ title, xmlUrl, reason }) => (
              <li key={xmlUrl}>
                {title ?? xmlUrl}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
