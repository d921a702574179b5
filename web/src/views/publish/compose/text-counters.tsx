import type { Platform } from '../capacity/use-platforms';
import { textLength } from './text-length';

interface Props {
  platforms: Platform[];
  text: string;
  link: string;
}

export function TextCounters({ platforms, text, link }: Props) {
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
