import type { paths } from '../../../api/schema';
import type { Publication } from '../publication';

export type NewPublications = paths['/api/v1/publications']['post']['requestBody']['content']['application/json'];
export type PublicationChange =
  paths['/api/v1/publications/{id}']['patch']['requestBody']['content']['application/json'];
export type Priority = Publication['priority'];

/** The values of the form, as typed. */
export interface Draft {
  text: string;
  /** One URL per line. */
  media: string;
  link: string;
  title: string;
  /** `kept` leaves the time unchanged. */
  when: 'now' | 'time' | 'slot' | 'kept';
  /** The value of a `datetime-local` input: `2026-03-28T09:30`. */
  localTime: string;
  timezone: string;
  priority: Priority;
  /** In the browser's time zone. Empty means never. */
  expires: string;
}

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function emptyDraft(now: Date, timezone: string): Draft {
  const nextHour = new Date(now.getTime() + 3_600_000);
  nextHour.setMinutes(0, 0, 0);
  return {
    text: '',
    media: '',
    link: '',
    title: '',
    when: 'now',
    priority: 'normal',
    expires: '',
    localTime: localInput(nextHour),
    timezone,
  };
}

export function draftOf(publication: Publication): Draft {
  const { content, priority, expiresAt, scheduledAt, localTime, timezone } = publication;
  return {
    text: content.text,
    media: content.mediaUrls.join('\n'),
    link: content.link ?? '',
    title: content.title ?? '',
    when: 'kept',
    priority,
    expires: expiresAt ? localInput(new Date(expiresAt)) : '',
    localTime: timezone && localTime ? localTime.slice(0, 16) : localInput(new Date(scheduledAt)),
    timezone: timezone ?? ownZone(),
  };
}

function contentOf({ text, media, link, title }: Draft) {
  return {
    text,
    mediaUrls: media.split(/\s+/).filter(Boolean),
    ...(link.trim() && { link: link.trim() }),
    ...(title.trim() && { title: title.trim() }),
  };
}

function timeOf({ when, localTime, timezone }: Draft) {
  if (when === 'time') return { localTime, timezone };
  return when === 'slot' ? { slot: 'next' as const } : {};
}

export function newPublications(draft: Draft, accountIds: string[]): NewPublications {
  const { priority, expires } = draft;
  return {
    accountIds,
    content: contentOf(draft),
    ...timeOf(draft),
    priority,
    ...(expires && { expiresAt: new Date(expires).toISOString() }),
  };
}

/** Only changed fields are sent, so that unchanged content is not checked again. */
export function changeOf(draft: Draft, publication: Publication): PublicationChange | undefined {
  const before = draftOf(publication);
  const differs = (...names: (keyof Draft)[]) => names.some((name) => draft[name] !== before[name]);
  const change: PublicationChange = {
    ...(differs('text', 'media', 'link', 'title') && { content: contentOf(draft) }),
    ...timeOf(draft),
    ...(differs('priority') && { priority: draft.priority }),
    ...(differs('expires') && { expiresAt: draft.expires ? new Date(draft.expires).toISOString() : null }),
  };
  return Object.keys(change).length ? change : undefined;
}

const two = (number: number) => String(number).padStart(2, '0');

/** The value of a `datetime-local` input, in the browser's time zone. */
export function localInput(time: Date): string {
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
