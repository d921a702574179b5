import { Injectable } from '@nestjs/common';
import { Id } from '../../../platform/database/columns.js';
import { ReadAllStore } from '../../read-all.store.js';
import { ReaderFolders } from '../core/reader-folders.js';
import { ReaderItems } from '../core/reader-items.js';

type ChangedList = 'unread_item_ids' | 'saved_item_ids';

const MAX_SECONDS = 8.64e12;

@Injectable()
export class FeverMarks {
  constructor(
    private readonly items: ReaderItems,
    private readonly folders: ReaderFolders,
    private readonly reads: ReadAllStore,
  ) {}

  /** Returns the list that the answer contains after this mark. Unknown marks are ignored. */
  async apply(userId: string, parameters: URLSearchParams): Promise<ChangedList | undefined> {
    const [mark, as, id] = ['mark', 'as', 'id'].map((name) => parameters.get(name) ?? '');
    if (mark === 'item') return this.markItem(userId, as, parameters.getAll('id'));
    if (as !== 'read' || id === undefined) return undefined;
    const foundUpTo = timeOf(parameters.get('before'));
    if (mark === 'feed' && Id.safeParse(id).success) await this.reads.readAll(userId, { source: id, foundUpTo });
    else if (mark === 'group' && id === '0') await this.reads.readAll(userId, { foundUpTo });
    else if (mark === 'group') await this.markGroup(userId, Number(id), foundUpTo);
    else return undefined;
    return 'unread_item_ids';
  }

  private async markItem(userId: string, as: string | undefined, given: string[]): Promise<ChangedList | undefined> {
    const ids = given.flatMap((text) => text.split(',')).filter((id) => Id.safeParse(id).success);
    switch (as) {
      case 'read':
      case 'unread':
        await this.items.markRead(userId, ids, as === 'read');
        return 'unread_item_ids';
      case 'saved':
      case 'unsaved':
        await this.items.star(userId, ids, as === 'saved');
        return 'saved_item_ids';
      default:
        return undefined;
    }
  }

  private async markGroup(userId: string, id: number, foundUpTo: Date | undefined): Promise<void> {
    const found = await this.folders.find(userId, id);
    if (found) await this.reads.readAll(userId, { onlyFolder: found.folder, foundUpTo });
  }
}

/** Posts that were found after this time (in seconds) stay unread. */
function timeOf(before: string | null): Date | undefined {
  const seconds = Number(before ?? 0);
  return seconds > 0 && seconds < MAX_SECONDS ? new Date(seconds * 1_000) : undefined;
}
