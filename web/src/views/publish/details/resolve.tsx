import { useState } from 'react';
import { answer, api } from '../../../api/client';
import { Problem } from '../../../api/problem';
import type { paths } from '../../../api/schema';
import { Field } from '../../../design/field';
import { ProblemNote } from '../../../design/problem-note';
import type { Publication } from '../publication';
import { usePublicationMutation } from './use-publication-mutation';

type Resolution = paths['/api/v1/publications/{id}/resolve']['post']['requestBody']['content']['application/json'];

/** Asks the user, because Millrace cannot find out whether the post was published. */
export function Resolve({ publication }: { publication: Publication }) {
  const { id, platform, platformUrl } = publication;
  const [url, setUrl] = useState('');
  const resolve = usePublicationMutation(publication, {
    run: (body: Resolution) =>
      answer(api.POST('/api/v1/publications/{id}/resolve', { params: { path: { id } }, body })),
    message: 'Saved.',
  });
  const seen = url.trim() ? { platformUrl: url.trim() } : {};
  const submit = (resolution: Resolution) => () => resolve.mutate(resolution);
  return (
    <section className="panel" aria-labelledby="resolve">
      <h3 id="resolve">Was it published on {platform}?</h3>
      <HowToLook platformUrl={platformUrl} />
      <Field
        label="URL of the post (optional)"
        mistake={resolve.error instanceof Problem ? resolve.error.of('platformUrl') : undefined}
      >
        <input type="url" value={url} onChange={({ target }) => setUrl(target.value)} />
      </Field>
      {resolve.error && <ProblemNote error={resolve.error} />}
      <div className="row">
        <button type="button" disabled={resolve.isPending} onClick={submit({ outcome: 'published', ...seen })}>
          Yes, it was published
        </button>
        <button type="button" disabled={resolve.isPending} onClick={submit({ outcome: 'not_published', retry: true })}>
          No, publish it now
        </button>
        <button type="button" disabled={resolve.isPending} onClick={submit({ outcome: 'not_published', retry: false })}>
          No, do not publish it
        </button>
      </div>
    </section>
  );
}

function HowToLook({ platformUrl }: Pick<Publication, 'platformUrl'>) {
  return (
    <p>
      The connection to the platform was lost before it answered, and it offers no way to check.{' '}
      {platformUrl ? (
        <a href={platformUrl} target="_blank" rel="noopener noreferrer">
          Look for the post there
        </a>
      ) : (
        'Look for the post on the platform'
      )}
      , then choose an answer.
    </p>
  );
}
