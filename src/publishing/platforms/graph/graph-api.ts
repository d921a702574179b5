import { z } from 'zod';
import type { RequestOptions } from '../../../platform/http/http-client.js';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import type { PlatformTools, ToldLimit } from '../../platform.js';
import { ask, readAnswer, sendOnce } from '../call-platform.js';
import type { Effect } from '../judge-failure.js';
import { complaintOf, graphFailure } from './graph-failure.js';
import { regainsAccessAt } from './graph-usage.js';

/** Somebody's part of Meta's Graph API. */
export interface Graph {
  /** As people call it. */
  place: string;
  base: string;
  accessToken: string;
  tools: PlatformTools;
}

export interface Question {
  path: string;
  params: Record<string, string>;
  timeouts?: RequestOptions['timeouts'];
}

interface Order {
  path: string;
  body: Record<string, unknown>;
}

/** A token goes into a header, where only these letters may stand. */
export const AccessToken = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,4000}$/, 'a token of visible ASCII characters');
export const GraphId = z
  .string()
  .trim()
  .regex(/^\d{1,40}$/, 'a number, as the Graph API gives it');

const Made = z.object({ id: z.string().min(1).max(200) });

/** What this is written for. Calls without a version get the oldest that still works. */
const VERSION = 'v25.0';

/** While it answers, it fetches the media or the page behind a link. */
const LONG_TIMEOUTS = { timeouts: { headers: 60_000, total: 90_000 } };

export async function readGraph<T>(graph: Graph, question: Question, answer: z.ZodType<T>): Promise<T> {
  return answered(graph, await asked(graph, question), answer);
}

/** Undefined if there is no such thing, or none that the token may see. */
export async function readIfThere<T>(graph: Graph, question: Question, answer: z.ZodType<T>): Promise<T | undefined> {
  const response = await asked(graph, question);
  return isMissing(response) ? undefined : answered(graph, response, answer);
}

/** Makes something that nobody sees. */
export async function makeUnseen(graph: Graph, { path, body }: Order): Promise<string> {
  const response = await ask(addressOf(graph, path), { ...posting(graph, body), ...LONG_TIMEOUTS }, graph.tools);
  return (await answered(graph, response, Made)).id;
}

/** The one call that shows a post. */
export async function show(graph: Graph, { path, body }: Order): Promise<HttpResponse> {
  return sendOnce(addressOf(graph, path), { ...posting(graph, body), ...LONG_TIMEOUTS }, graph.tools);
}

/** What the call that shows a post has brought. */
export async function shown(graph: Graph, response: HttpResponse): Promise<{ postId: string; told?: ToldLimit }> {
  if (response.status !== 200) throw failure(graph, response, 'shows');
  const { id } = await readAnswer(response, Made, { place: graph.place, effect: 'shows' });
  const until = regainsAccessAt(response.headers, graph.tools.now());
  return { postId: id, ...(until && { told: { remaining: 0, until } }) };
}

/** Whoever configures an address with a version wants that one. */
function addressOf({ base }: Graph, path: string): URL {
  const hasVersion = /\/v\d+\.\d+\/?$/.test(base);
  return joinUrl(hasVersion ? base : joinUrl(base, VERSION).href, path);
}

function asked(graph: Graph, { path, params, timeouts }: Question): Promise<HttpResponse> {
  const url = addressOf(graph, path);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return ask(url, { headers: authorization(graph), timeouts }, graph.tools);
}

async function answered<T>(graph: Graph, response: HttpResponse, answer: z.ZodType<T>): Promise<T> {
  if (response.status !== 200) throw failure(graph, response, 'harmless');
  return readAnswer(response, answer, { place: graph.place, effect: 'harmless' });
}

function posting(graph: Graph, body: Record<string, unknown>) {
  const headers = { ...authorization(graph), 'Content-Type': 'application/json' };
  return { method: 'POST' as const, headers, body: JSON.stringify(body) };
}

const authorization = ({ accessToken }: Graph) => ({ Authorization: `Bearer ${accessToken}` });

const failure = ({ place, accessToken, tools }: Graph, response: HttpResponse, effect: Effect) =>
  graphFailure(response, { place, effect, accessToken, now: tools.now() });

function isMissing(response: HttpResponse): boolean {
  const { code, error_subcode } = complaintOf(response) ?? {};
  return (code === 100 && error_subcode === 33) || code === 24 || code === 803;
}
