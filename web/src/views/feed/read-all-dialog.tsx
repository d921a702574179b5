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

/** Focuses the confirming button, so that Enter is enough. */
export function askToReadAll(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
  dialog?.querySelector<HTMLElement>('.primary')?.focus();
}

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
      announce('Marked all as read.');
    },
  });
  const name = sources.find(({ id }) => id === source);
  const what = name ? `from ${nameOf(name)}` : folder ? `in ${folder}` : 'from all sources';
  return (
    <Dialog ref={ref} title="Mark all as read?" onClose={readAll.reset}>
      <div className="read-all">
        <p>This marks all posts {what} as read, including posts not shown here. It cannot be undone.</p>
        {readAll.error && <ProblemNote error={readAll.error} />}
        <form method="dialog" className="row">
          <button type="button" className="primary" disabled={readAll.isPending} onClick={() => readAll.mutate()}>
            {readAll.isPending ? 'Marking …' : 'Mark all as read'}
          </button>
          <button type="submit">Cancel</button>
        </form>
      </div>
    </Dialog>
  );
}
