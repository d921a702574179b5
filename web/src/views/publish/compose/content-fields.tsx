import { Field } from '../../../design/field';
import type { Platform } from '../capacity/use-platforms';
import type { Draft } from './draft';
import { mediaHint, titleHint } from './field-hints';
import type { Refusals } from './refusals';
import { TextCounters } from './text-counters';

interface Props {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  /** The platforms of the selected accounts. */
  platforms: Platform[];
  refusals: Refusals;
}

export function ContentFields({ draft, onChange, platforms, refusals }: Props) {
  const { text, media, link, title } = draft;
  return (
    <>
      <div>
        <Field label="Text" mistake={refusals.ofField('text')}>
          <textarea value={text} rows={7} onChange={({ target }) => onChange({ text: target.value })} />
        </Field>
        <TextCounters {...{ platforms, text, link }} />
      </div>
      <Field label="Media" hint={mediaHint(platforms)} mistake={refusals.ofField('mediaUrls')}>
        <textarea
          className="few-lines"
          value={media}
          rows={2}
          spellCheck={false}
          placeholder="https://example.org/picture.png"
          onChange={({ target }) => onChange({ media: target.value })}
        />
      </Field>
      <div className="two-columns">
        <Field label="Link" mistake={refusals.ofField('link')}>
          <input type="url" value={link} onChange={({ target }) => onChange({ link: target.value })} />
        </Field>
        <Field label="Title" hint={titleHint(platforms)} mistake={refusals.ofField('title')}>
          <input value={title} onChange={({ target }) => onChange({ title: target.value })} />
        </Field>
      </div>
    </>
  );
}
