import type { HttpResponse } from '../../platform/http/http-response.js';
import { storableText } from '../../platform/queue/storable.js';
import { ScrapeFailure } from '../scraper.js';

const MAX_WORDS_LENGTH = 300;

interface Refused {
  /** As people call it. */
  place: string;
  /** What it says about it. */
  words?: string | undefined;
  /** What those words may not repeat to the job's owner. */
  secrets?: (string | undefined)[] | undefined;
  /** Its words tell of a used-up allowance where the status does not. */
  exhausted?: boolean | undefined;
  /** Which variables to look at when it refuses what was asked, or who asked. */
  variables?: string[] | undefined;
}

/** What an answer that is not the one asked for means. */
export function refusal({ status, retryAfter }: HttpResponse, refused: Refused): ScrapeFailure {
  const { place, exhausted = status === 429, variables = [] } = refused;
  const words = tidied(refused);
  const said = words && `: ${words}`;
  if (exhausted) return new ScrapeFailure(`${place} allows no more requests for now${said}`, { until: retryAfter });
  if (status >= 500) {
    return new ScrapeFailure(`${place} answered ${status}${said}`, { retryable: true, until: retryAfter });
  }
  const hint = status >= 400 && variables.length ? ` (check ${variables.join(' and ')})` : '';
  return new ScrapeFailure(`${place} answered ${status}${said}${hint}`);
}

function tidied({ words = '', secrets = [] }: Refused): string {
  const shown = secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '(hidden)') : text), words);
  return storableText(shown.trimStart().slice(0, MAX_WORDS_LENGTH * 4))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS_LENGTH)
    .toWellFormed();
}
