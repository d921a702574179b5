import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import { Dialog } from '../../design/dialog';
import { ProblemNote } from '../../design/problem-note';
import { isInFolder } from '../sources/folders';
import { nameOf, type Source } from '../sources/source';
import type { FeedFilter, Folders } from './feed-filter';
import type { Post } from './post';
import { changePosts } from './use-marks';

interface Props {
  ref: RefObject<HTMLDialogElement | null>;
  filter: FeedFilter;
  sources: Source[];
  folders: Folders;
}

/** With the focus on what does it, so that Enter is enough. */
export function askToReadAll(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
  dialog?.querySelector<HTMLElement>('.primary')?.focus();
}

/** It cannot be taken back, so it is asked about first. */
export function ReadAllDialog({ ref, filter: { source, folder }, sources, folders }: Props) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const isMeant = ({ sourceId }: Post) => {
    if (source !== undefined) return sourceId === source;
    return folder === undefined || isInFolder(folders.get(sourceId) ?? null, folder);
  };
  const readAll = useMutation({
    mutationFn: () =>
      answer(api.POST('/api/v1/feed/read-all', { body: { ...(source && { source }), ...(folder && { folder }) } })),
    onSuccess: () => {
      changePosts(client, isMeant, { read: true });
      ref.current?.close();
      announce('All marked read.');
    },
  });
  const name = sources.find(({ id }) => id === source);
  const what = name ? `of ${nameOf(name)}` : folder ? `in ${folder}` : 'of everything you follow';
  return (
    <Dialog ref={ref} title="Mark all read?" onClose={readAll.reset}>
      <div className="read-all">
        <p>All posts {what} are marked read, also those that are not on show. This cannot be undone.</p>
        {readAll.error && <ProblemNote error={readAll.error} />}
        <form method="dialog" className="row">
          <button type="button" className="primary" disabled={readAll.isPending} onClick={() => readAll.mutate()}>
            {readAll.isPending ? 'Marking …' : 'Mark all read'}
          </button>
          <button type="submit">Cancel</button>
        </form>
      </div>
    </Dialog>
  );
}
