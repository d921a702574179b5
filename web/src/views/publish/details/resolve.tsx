import { useState } from 'react';
import { answer, api } from '../../../api/client';
import { Problem } from '../../../api/problem';
import type { paths } from '../../../api/schema';
import { Field } from '../../../design/field';
import { ProblemNote } from '../../../design/problem-note';
import type { Publication } from '../publication';
import { useAct } from './use-act';

type Resolution = paths['/api/v1/publications/{id}/resolve']['post']['requestBody']['content']['application/json'];

/** Where nobody can know by themselves whether it is out: somebody looks, and tells. */
export function Resolve({ publication }: { publication: Publication }) {
  const { id, platform, platformUrl } = publication;
  const [url, setUrl] = useState('');
  const resolve = useAct(publication, {
    run: (body: Resolution) =>
      answer(api.POST('/api/v1/publications/{id}/resolve', { params: { path: { id } }, body })),
    said: 'Thank you; it is noted.',
  });
  const seen = url.trim() ? { platformUrl: url.trim() } : {};
  const tell = (resolution: Resolution) => () => resolve.mutate(resolution);
  return (
    <section className="panel" aria-labelledby="resolve">
      <h3 id="resolve">Is it on {platform}?</h3>
      <HowToLook platformUrl={platformUrl} />
      <Field
        label="Its address there, if you have it"
        mistake={resolve.error instanceof Problem ? resolve.error.of('platformUrl') : undefined}
      >
        <input type="url" value={url} onChange={({ target }) => setUrl(target.value)} />
      </Field>
      {resolve.error && <ProblemNote error={resolve.error} />}
      <div className="row">
        <button type="button" disabled={resolve.isPending} onClick={tell({ outcome: 'published', ...seen })}>
          It is there
        </button>
        <button type="button" disabled={resolve.isPending} onClick={tell({ outcome: 'not_published', retry: true })}>
          It is not: publish it
        </button>
        <button type="button" disabled={resolve.isPending} onClick={tell({ outcome: 'not_published', retry: false })}>
          It is not: leave it
        </button>
      </div>
    </section>
  );
}

function HowToLook({ platformUrl }: Pick<Publication, 'platformUrl'>) {
  return (
    <p>
      The answer of the platform was lost, and it offers no way to find out.{' '}
      {platformUrl ? (
        <a href={platformUrl} target="_blank" rel="noopener noreferrer">
          Look on the platform
        </a>
      ) : (
        'Look at the account there'
      )}
      , then tell what you saw.
    </p>
  );
}
