import { z } from 'zod';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { joinUrl } from '../../platform/http/web-address.js';
import { ScrapeFailure, type ScraperTools } from '../scraper.js';
import { readJson, refusal } from './api-answer.js';

const PLACE = 'OpenStreetMap (Overpass)';

/** The time limit of the server in seconds. */
export const SERVER_TIMEOUT = 60;
/** Overpass answers only after it has finished the query, so the timeouts (ms) exceed its own limit. */
const WAIT_OPTIONS = { timeouts: { headers: (SERVER_TIMEOUT + 15) * 1_000, total: (SERVER_TIMEOUT + 45) * 1_000 } };
/** Enough for 2,000 elements, some of which have a hundred tags. */
const LIMITS = { maxBytes: 10_000_000, maxDepth: 20, maxValues: 300_000, maxItems: 5_000 };
/** The pause (ms) after a rate limit, because Overpass does not say how long it lasts. */
const UNTOLD_WAIT_MS = 60_000;

const Tags = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch(undefined)
  .transform((tags) => {
    const texts = Object.entries(tags ?? {}).filter((tag): tag is [string, string] => typeof tag[1] === 'string');
    return Object.fromEntries(texts);
  });
const Position = z.object({ lat: z.number(), lon: z.number() }).nullish().catch(undefined);

const Element = z
  .object({
    type: z.enum(['node', 'way', 'relation', 'area']),
    id: z.int().positive(),
    lat: z.number().nullish().catch(undefined),
    lon: z.number().nullish().catch(undefined),
    center: Position,
    tags: Tags,
  })
  .transform(({ lat, lon, center, ...element }) => ({
    ...element,
    position: center ?? (lat != null && lon != null ? { lat, lon } : undefined),
  }));
export type Element = z.infer<typeof Element>;

const Answer = z.object({
  elements: z.array(z.unknown()),
  remark: z.string().nullish().catch(undefined),
});

export interface OverpassResult {
  areas: Element[];
  elements: Element[];
  failure: ScrapeFailure | undefined;
}

export async function askOverpass(query: string, { http, config, signal, now }: ScraperTools): Promise<OverpassResult> {
  const response = await http.request(joinUrl(config.overpassUrl, 'api/interpreter').href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ data: query }).toString(),
    maxBytes: LIMITS.maxBytes,
    signal,
    ...WAIT_OPTIONS,
  });
  if (response.status !== 200) throw refused(response, now);
  // A busy server may report an error on an HTML page with a success status.
  if (/^\s*</.test(response.body.toString('latin1', 0, 100))) throw busyOrBroken(response);
  const { elements, remark } = await readJson(response, Answer, { place: PLACE, limits: LIMITS });
  const read = elements.flatMap((element) => Element.safeParse(element).data ?? []);
  return {
    areas: read.filter(({ type }) => type === 'area'),
    elements: read.filter(({ type }) => type !== 'area'),
    failure: remark ? failureOf(remark) : undefined,
  };
}

/** Remarks about runtime errors mean that the answer is incomplete. Others are harmless. */
function failureOf(remark: string): ScrapeFailure | undefined {
  if (!/runtime error/i.test(remark)) return undefined;
  if (/out of memory/i.test(remark)) return new ScrapeFailure(`this is too much for ${PLACE}: name a smaller place`);
  const words = tidied(remark.replace(/^.*?runtime error:\s*/is, ''));
  if (!/timed? ?out/i.test(remark)) return new ScrapeFailure(`${PLACE} could not finish: ${words}`);
  return new ScrapeFailure(`${PLACE} ran out of time; a smaller place may help: ${words}`, { retryable: true });
}

function refused(response: HttpResponse, now: Date): ScrapeFailure {
  const { status, retryAfter } = response;
  if (status !== 429) return refusal(response, { place: PLACE, words: wordsOn(response) });
  const until = retryAfter ?? new Date(now.getTime() + UNTOLD_WAIT_MS);
  return new ScrapeFailure(`${PLACE} allows no more requests for now`, { retryable: true, until });
}

function busyOrBroken(response: HttpResponse): ScrapeFailure {
  const words = wordsOn(response);
  const retryable = /busy|timeout|rate_limited|try again/i.test(words);
  return new ScrapeFailure(`${PLACE} answers with something that is no JSON: ${words}`, { retryable });
}

function wordsOn(response: HttpResponse): string {
  const text = response.text().slice(0, 20_000);
  const errors = text.match(/(?:error|Error)(?:<\/strong>)?\s*:[^<]{1,300}/g) ?? [];
  return tidied(errors.join(' ').replace(/<[^<>]*>/g, '')).slice(0, 300);
}

function tidied(words: string): string {
  return words
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .toWellFormed();
}

/** Returns a string literal of the query language, from which the text cannot break out. */
export function quoted(text: string): string {
  const inner = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/["\\]/g, '\\$&');
  return `"${inner}"`;
}

export function literally(text: string): string {
  return text.replace(/[.[\]{}()*+?^$|\\]/g, '\\$&');
}
