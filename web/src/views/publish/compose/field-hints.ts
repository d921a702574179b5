import type { Platform } from '../capacity/use-platforms';

export function mediaHint(platforms: Platform[]): string {
  const rules = platforms.flatMap(({ label, accepts: { media } }) => {
    if (media.most === null) return [];
    const kinds = media.kinds?.join(', ') ?? 'any file';
    const count = media.least === media.most ? `exactly ${media.most}` : `${media.least} to ${media.most}`;
    return [`${label} accepts ${count} (${kinds})`];
  });
  return ['URLs, one per line.', ...(rules.length ? [`${rules.join('; ')}.`] : [])].join(' ');
}

export function titleHint(platforms: Platform[]): string {
  const titled = platforms.filter(({ accepts }) => accepts.title);
  if (!titled.length) return 'Used only by platforms that show a title.';
  return titled
    .map(
      ({ label, accepts }) =>
        `${label} ${accepts.title?.required ? 'requires' : 'accepts'} a title of up to ${accepts.title?.most} characters.`,
    )
    .join(' ');
}
