import { type ChangeEvent, useId, useState } from 'react';
import { isOpml } from './given-feeds';

export interface OpmlFile {
  name: string;
  content: string;
}

interface Props {
  chosen: OpmlFile | undefined;
  onOpml: (file: OpmlFile | undefined) => void;
  /** From a plain text file; they join what is in the form. */
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
      setMistake(`${file.name} cannot be read. Has it been moved? Choose it again.`);
    }
    // The same file may be chosen again after it was mended.
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
            Take {chosen.name} away
          </button>
        ) : (
          <span className="hint">OPML, or one address a line</span>
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
