import { Field } from '../../../design/field';
import type { Platform } from '../capacity/use-platforms';
import type { Draft } from './draft';
import { mediaHint, titleHint } from './field-hints';
import type { Refusals } from './refusals';
import { textLength } from './text-length';

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

interface CounterProps {
  platforms: Platform[];
  text: string;
  link: string;
}

function TextCounters({ platforms, text, link }: CounterProps) {
  return (
    <ul className="counters small" aria-label="Length by platform">
      {platforms.map((platform) => {
        const { most, unit } = platform.accepts.text;
        const length = textLength(platform, { text, link: link.trim() });
        const over = most === null ? 0 : length - most;
        return (
          <li key={platform.name} className={over > 0 ? 'mistake' : 'soft'}>
            {platform.label}: {length}
            {most !== null && ` / ${most}`} {unit}
            {over > 0 && `, ${over} too many`}
          </li>
        );
      })}
      {platforms.length === 0 && <li className="soft">Select an account to see its character limit.</li>}
    </ul>
  );
}
