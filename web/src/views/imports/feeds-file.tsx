import { type ChangeEvent, useId, useState } from 'react';
import { isOpml } from './feed-input';

export interface OpmlFile {
  name: string;
  content: string;
}

interface Props {
  chosen: OpmlFile | undefined;
  onOpml: (file: OpmlFile | undefined) => void;
  /** Called with the content of a plain text file, to be added to the form. */
  onAddresses: (text: string) => void;
}

export function FeedsFile({ chosen, onOpml, onAddresses }: Props) {
  const id = useId();
  const [mistake, setMistake] = useState<string>();
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    try {
      const content = await file.text();
      setMistake(undefined);
      if (isOpml(content)) onOpml({ name: file.name, content });
      else onAddresses(content);
    } catch {
      setMistake(`Could not read ${file.name}. Choose it again.`);
    }
    // Without this, choosing the same file again would not fire a change event.
    target.value = '';
  };
  return (
    <div className="import-file">
      <div className="row">
        <input id={id} className="hidden" type="file" accept=".opml,.xml,.txt,.csv,text/*" onChange={read} />
        <label className="button" htmlFor={id}>
          Choose a file
        </label>
        {chosen ? (
          <button type="button" onClick={() => onOpml(undefined)}>
            Remove {chosen.name}
          </button>
        ) : (
          <span className="hint">OPML, or a text file with one URL per line</span>
        )}
      </div>
      {mistake && (
        <p className="mistake" role="alert">
          {mistake}
        </p>
      )}
    </div>
  );
}
