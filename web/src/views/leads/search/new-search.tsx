import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api } from '../../../api/client';
import { Problem } from '../../../api/problem';
import { useRequestKey } from '../../../api/use-request-key';
import { useAnnounce } from '../../../design/announcer';
import { FormProblem } from '../../../design/form-problem';
import { JOBS, jobPath } from '../job-keys';
import { CriteriaFields } from './criteria-fields';
import { FilterFields } from './filter-fields';
import { EMPTY_SEARCH, type Search, type SearchBody, searchBody } from './search-body';
import { OwnWorkers, SourceTypeChoice } from './source-type-choice';

export function NewSearch({ onClose }: { onClose?: (() => void) | undefined }) {
  const [search, setSearch] = useState<Search>(EMPTY_SEARCH);
  const start = useStart();
  const body = searchBody(search);
  const sentTypes = start.variables?.source_types ?? [];
  const fields = {
    search,
    onChange: (part: Partial<Search>) => setSearch({ ...search, ...part }),
    mistake: (path: string) => (start.error instanceof Problem ? start.error.of(path) : undefined),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!start.isPending) start.mutate(body);
  }

  return (
    <form className="panel new-search" onSubmit={submit} aria-label="New search">
      <h2>New search</h2>
      <div className="search-columns">
        <div className="search-part">
          <CriteriaFields {...fields} />
        </div>
        <div className="search-part">
          <SourceTypeChoice {...fields} sentTypes={sentTypes} />
          <FilterFields {...fields} />
          <OwnWorkers {...fields} sentTypes={sentTypes} />
        </div>
      </div>
      {start.error && <FormProblem error={start.error} isPlaced={isPlaced} />}
      <SearchEnd isPending={start.isPending} isComplete={body.source_types.length > 0} onClose={onClose} />
    </form>
  );
}

interface EndProps {
  isPending: boolean;
  isComplete: boolean;
  onClose: (() => void) | undefined;
}

function SearchEnd({ isPending, isComplete, onClose }: EndProps) {
  return (
    <div className="row">
      <button type="submit" className="primary" disabled={isPending || !isComplete}>
        {isPending ? 'Starting …' : 'Start search'}
      </button>
      {onClose && (
        <button type="button" className="quiet" onClick={onClose}>
          Close
        </button>
      )}
      {!isComplete && <span className="hint">Select at least one source.</span>}
    </div>
  );
}

const PLACED =
  /^(industry|geography|keywords|search_query|source_types\.\d+|filters\.(sites|maxPages|company_size|revenue|founded|country|language|exclude))/;

const isPlaced = (path: string) => PLACED.test(path);

function useStart() {
  const key = useRequestKey();
  const client = useQueryClient();
  const announce = useAnnounce();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (body: SearchBody) =>
      answer(api.POST('/api/v1/jobs/scrape', { body, params: { header: { 'Idempotency-Key': key.keyFor(body) } } })),
    onSuccess: ({ id }) => {
      key.done();
      void client.invalidateQueries({ queryKey: [JOBS] });
      announce('Search started.');
      navigate(jobPath(id));
    },
  });
}
