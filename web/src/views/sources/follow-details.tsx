import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { answer, api } from '../../api/client';
import { Problem } from '../../api/problem';
import { useAnnounce } from '../../design/announcer';
import { Field } from '../../design/field';
import { ProblemNote } from '../../design/problem-note';
import { foldersOf } from './folders';
import type { Source } from './source';
import { SOURCE_KEY, SOURCES_KEY, useSources } from './use-sources';

const FIELDS = ['title', 'folder', 'maxDelayMinutes'];

export function FollowDetails({ source }: { source: Source }) {
  const { sources } = useSources();
  const folders = useMemo(() => foldersOf(sources), [sources]);
  const list = useId();
  const [title, setTitle] = useState(source.title ?? '');
  const [folder, setFolder] = useState(source.folder ?? '');
  const [maxDelay, setMaxDelay] = useState(source.maxDelayMinutes?.toString() ?? '');
  const { mutate, error, isPending } = useFollowChange(source);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ title: title.trim(), folder: folder.trim(), maxDelay: maxDelay.trim() });
  };
  const mistake = (field: string) => (error instanceof Problem ? error.of(field) : undefined);
  return (
    <form className="panel" onSubmit={submit} noValidate>
      <h2>Your settings</h2>
      <Field label="Name" hint="Leave empty to use the name of the source." mistake={mistake('title')}>
        <input value={title} onChange={(event) => setTitle(event.target.value)} />
      </Field>
      <Field label="Folder" hint="For example News/Local. Leave empty for none." mistake={mistake('folder')}>
        <input value={folder} list={list} onChange={(event) => setFolder(event.target.value)} />
      </Field>
      <datalist id={list}>
        {folders.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field
        label="Maximum delay"
        hint="In minutes, 1 to 1440. Leave empty for automatic."
        mistake={mistake('maxDelayMinutes')}
      >
        <input inputMode="numeric" value={maxDelay} onChange={(event) => setMaxDelay(event.target.value)} />
      </Field>
      {error && !FIELDS.some(mistake) && <ProblemNote error={error} />}
      <div className="row">
        <button type="submit" disabled={isPending}>
          {isPending ? 'Saving …' : 'Save'}
        </button>
      </div>
    </form>
  );
}

/** Sends only changed fields: a name that is sent overrides the name of the source from then on. */
function useFollowChange(source: Source) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ title, folder, maxDelay }: { title: string; folder: string; maxDelay: string }) => {
      const body = {
        ...(folder !== (source.folder ?? '') && { folder: folder || null }),
        ...(title !== (source.title ?? '') && { title: title || null }),
        ...(maxDelay !== (source.maxDelayMinutes?.toString() ?? '') && { maxDelayMinutes: minutesIn(maxDelay) }),
      };
      return answer(api.PATCH('/api/v1/sources/{id}/follow', { params: { path: { id: source.id } }, body }));
    },
    onSuccess: (changed) => {
      client.setQueryData([...SOURCE_KEY, source.id], changed);
      void client.invalidateQueries({ queryKey: SOURCES_KEY });
      announce('Saved.');
    },
  });
}

/** Invalid input is sent unchanged, so that the server returns the error message. */
function minutesIn(text: string): number | null {
  return text === '' ? null : ((/^\d+$/.test(text) ? Number(text) : text) as number);
}
