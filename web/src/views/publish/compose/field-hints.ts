import type { Platform } from '../capacity/use-platforms';

/** What the chosen platforms want of files, in a sentence. */
export function mediaHint(platforms: Platform[]): string {
  const wishes = platforms.flatMap(({ label, accepts: { media } }) => {
    if (media.most === null) return [];
    const kinds = media.kinds?.join(', ') ?? 'any file';
    const count = media.least === media.most ? `exactly ${media.most}` : `${media.least} to ${media.most}`;
    return [`${label} takes ${count} (${kinds})`];
  });
  return ['Addresses, one a line.', ...(wishes.length ? [`${wishes.join('; ')}.`] : [])].join(' ');
}

/** Who shows a title, and who must have one. */
export function titleHint(platforms: Platform[]): string {
  const titled = platforms.filter(({ accepts }) => accepts.title);
  if (!titled.length) return 'Only where a platform shows one.';
  return titled
    .map(
      ({ label, accepts }) =>
        `${label} ${accepts.title?.required ? 'needs' : 'takes'} one of up to ${accepts.title?.most} characters.`,
    )
    .join(' ');
}
