import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api } from '../../api/client';
import { Problem } from '../../api/problem';
import { useAnnounce } from '../../design/announcer';
import { countOf } from '../../design/count-of';
import { Field } from '../../design/field';
import { addressesIn, refusedAddresses } from './feed-input';
import { FeedsFile, type OpmlFile } from './feeds-file';
import { ImportOptions, NO_OPTIONS } from './import-options';

export function NewImportForm() {
  const [text, setText] = useState('');
  const [opml, setOpml] = useState<OpmlFile>();
  const [options, setOptions] = useState(NO_OPTIONS);
  const addresses = addressesIn(text);
  const start = useStart();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({ body: opml ? { opml: opml.content } : { feeds: addresses }, options });
  };
  return (
    <form className="panel" onSubmit={submit} aria-labelledby="new-import">
      <h2 id="new-import">New import</h2>
      <Field label="Feed URLs, one per line" hint={hintFor(addresses.length, opml)}>
        <textarea
          rows={6}
          value={text}
          disabled={opml !== undefined}
          placeholder="https://blog.example.org/feed.xml"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <FeedsFile chosen={opml} onOpml={setOpml} onAddresses={(more) => setText((old) => joined(old, more))} />
      <ImportOptions value={options} onChange={setOptions} />
      {start.error && <StartProblem error={start.error} addresses={addresses} />}
      <button
        type="submit"
        className="primary import-start"
        disabled={start.isPending || (!opml && addresses.length === 0)}
      >
        {start.isPending ? 'Starting …' : 'Start import'}
      </button>
    </form>
  );
}

type Start = Parameters<typeof startImport>[0];

function startImport({ body, options }: { body: { feeds: string[] } | { opml: string }; options: typeof NO_OPTIONS }) {
  const { follow, full, jobs } = options;
  const query = {
    follow: follow ? ('true' as const) : ('false' as const),
    full: full ? ('true' as const) : ('false' as const),
    ...(jobs && { fields: 'jobs' as const }),
  };
  return answer(api.POST('/api/v1/imports/start', { params: { query }, body }));
}

function useStart() {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [, navigate] = useLocation();
  return useMutation<Awaited<ReturnType<typeof startImport>>, Problem, Start>({
    mutationFn: startImport,
    onSuccess: (run) => {
      announce(`Import ${run.id} started.`);
      void client.invalidateQueries({ queryKey: ['imports'] });
      client.setQueryData(['import', run.id], run);
      navigate(`/imports/${run.id}`);
    },
  });
}

function hintFor(addresses: number, opml: OpmlFile | undefined): string {
  if (opml) return `${opml.name} will be imported instead.`;
  return addresses
    ? `${countOf(addresses, 'URL')}. Duplicates are imported once.`
    : 'Up to 200,000 URLs, or choose a file.';
}

const joined = (old: string, more: string) => [old.trimEnd(), more].filter(Boolean).join('\n');

const MAX_SHOWN = 5;

function StartProblem({ error, addresses }: { error: Problem; addresses: string[] }) {
  const refused = refusedAddresses(error.fields, addresses);
  if (!refused.length)
    return (
      <p className="mistake" role="alert">
        {error.message}
      </p>
    );
  return (
    <div className="mistake" role="alert">
      <p>None of these feeds can be imported. Fix at least one:</p>
      <ul className="import-refused">
        {refused.slice(0, MAX_SHOWN).map(({ address, why }) => (
          <li key={address}>
            <code>{address}</code>: {why}
          </li>
        ))}
      </ul>
      {refused.length > MAX_SHOWN && <p>And {refused.length - MAX_SHOWN} more.</p>}
    </div>
  );
}
