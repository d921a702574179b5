import { useMemo } from 'react';
import { foldersOf } from '../sources/folders';
import { nameOf, type Source } from '../sources/source';
import type { FeedFilter } from './feed-filter';

interface Props {
  filter: FeedFilter;
  narrow: (to: FeedFilter) => void;
  sources: Source[];
}

export function ScopeChoice({ filter, narrow, sources }: Props) {
  const { show, q, source, folder } = filter;
  const folders = useMemo(() => foldersOf(sources), [sources]);
  const named = useMemo(() => sources.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))), [sources]);
  const value = source ? `source:${source}` : folder ? `folder:${folder}` : '';
  const choose = (chosen: string) => {
    const [kind, name] = [chosen.slice(0, chosen.indexOf(':')), chosen.slice(chosen.indexOf(':') + 1)];
    narrow({
      show,
      ...(q && { q }),
      ...(kind === 'source' && { source: name }),
      ...(kind === 'folder' && { folder: name }),
    });
  };
  return (
    <select
      className="feed-scope"
      aria-label="Source or folder"
      value={value}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">All sources</option>
      {source && !sources.some(({ id }) => id === source) && <option value={value}>Source {source}</option>}
      {folder && !folders.includes(folder) && <option value={value}>{folder}</option>}
      {folders.length > 0 && (
        <optgroup label="Folders">
          {folders.map((name) => (
            <option key={name} value={`folder:${name}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label="Sources">
        {named.map((one) => (
          <option key={one.id} value={`source:${one.id}`}>
            {nameOf(one)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
