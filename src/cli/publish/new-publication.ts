import { UsageError } from '../command.js';

export const CONTENT = {
  account: {
    value: 'name|id',
    help: 'where; a name, platform/name or id, as `millrace publish accounts` shows them',
    many: true,
  },
  text: { value: 'text', help: 'what to say; - reads it from the standard input' },
  media: { value: 'url', help: 'a picture or a video to go with it', many: true },
  link: { value: 'url', help: 'an address to go with it' },
  title: { value: 'text', help: 'its title, where the platform has one' },
  at: { value: 'time', help: 'when, such as 2027-03-29T09:00 or 2027-03-29T07:00:00Z (default: now)' },
  timezone: { value: 'zone', help: 'whose clock --at goes by, such as Europe/Berlin (default: that of this machine)' },
  slot: { help: "at the account's next free slot" },
  priority: { value: 'priority', help: 'which goes out first', choices: ['high', 'normal', 'low'] },
  expires: { value: 'time', help: 'not after this time, such as 2027-03-29T12:00:00Z' },
} as const;

interface Given {
  text: string | undefined;
  media: string[];
  link: string | undefined;
  title: string | undefined;
  at: string | undefined;
  timezone: string | undefined;
  slot: boolean;
  priority: string | undefined;
  expires: string | undefined;
}

/** What the API is sent, but for the accounts. */
export function newPublication(given: Given) {
  const { text = '', media, link, title, priority, expires } = given;
  if (!text && !media.length) throw new UsageError('there is nothing to publish: give --text or --media');
  return {
    content: { text, mediaUrls: media, ...(link !== undefined && { link }), ...(title !== undefined && { title }) },
    ...timeOf(given),
    ...(priority !== undefined && { priority }),
    ...(expires !== undefined && { expiresAt: expires }),
  };
}

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)$/;

/** Wall-clock times stay what they are, with their zone: the API knows its daylight-saving changes. */
function timeOf({ at, timezone, slot }: Given) {
  if (slot && (at ?? timezone) !== undefined) throw new UsageError('--slot takes the time of the slot: leave --at out');
  if (slot) return { slot: 'next' };
  if (at === undefined && timezone !== undefined) throw new UsageError('--timezone goes with --at');
  if (at === undefined) return {};
  const [, day, time] = LOCAL_TIME.exec(at) ?? [];
  if (day === undefined) return { scheduledAt: at, ...(timezone !== undefined && { timezone }) };
  const zone = timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { localTime: `${day}T${time}`, timezone: zone };
}
