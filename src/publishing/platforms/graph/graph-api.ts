import { z } from 'zod';
import type { RequestOptions } from '../../../platform/http/http-client.js';
import type { HttpResponse } from '../../../platform/http/http-response.js';
import { joinUrl } from '../../../platform/http/web-address.js';
import type { AnnouncedLimit, PlatformTools } from '../../platform.js';
import { ask, readAnswer, sendOnce } from '../call-platform.js';
import type { Effect } from '../judge-failure.js';
import { complaintOf, graphFailure } from './graph-failure.js';
import { regainsAccessAt } from './graph-usage.js';

export interface Graph {
  place: string;
  base: string;
  accessToken: string;
  tools: PlatformTools;
}

export interface GraphRead {
  path: string;
  params: Record<string, string>;
  timeouts?: RequestOptions['timeouts'];
}

interface GraphWrite {
  path: string;
  body: Record<string, unknown>;
}

/** The token goes into a header, which allows only these characters. */
export const AccessToken = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,4000}$/, 'a token of visible ASCII characters');
export const GraphId = z
  .string()
  .trim()
  .regex(/^\d{1,40}$/, 'a number, as the Graph API gives it');

const Made = z.object({ id: z.string().min(1).max(200) });

/** The API version that this code is written for. Calls without a version get the oldest one that still works. */
const VERSION = 'v25.0';

/** Facebook and Instagram fetch media and linked pages while they answer, so these timeouts (ms) are long. */
const LONG_TIMEOUTS = { timeouts: { headers: 60_000, total: 90_000 } };

export async function readGraph<T>(graph: Graph, request: GraphRead, answer: z.ZodType<T>): Promise<T> {
  return answered(graph, await get(graph, request), answer);
}

/** Returns undefined if the object does not exist or is not visible to the token. */
export async function readIfThere<T>(graph: Graph, request: GraphRead, answer: z.ZodType<T>): Promise<T | undefined> {
  const response = await get(graph, request);
  return isMissing(response) ? undefined : answered(graph, response, answer);
}

export async function makeUnseen(graph: Graph, { path, body }: GraphWrite): Promise<string> {
  const response = await ask(graphUrl(graph, path), { ...posting(graph, body), ...LONG_TIMEOUTS }, graph.tools);
  return (await answered(graph, response, Made)).id;
}

export async function show(graph: Graph, { path, body }: GraphWrite): Promise<HttpResponse> {
  return sendOnce(graphUrl(graph, path), { ...posting(graph, body), ...LONG_TIMEOUTS }, graph.tools);
}

export async function shown(
  graph: Graph,
  response: HttpResponse,
): Promise<{ postId: string; announced?: AnnouncedLimit }> {
  if (response.status !== 200) throw failure(graph, response, 'shows');
  const { id } = await readAnswer(response, Made, { place: graph.place, effect: 'shows' });
  const until = regainsAccessAt(response.headers, graph.tools.now());
  return { postId: id, ...(until && { announced: { remaining: 0, until } }) };
}

/** A base address that includes a version is used as it is. */
function graphUrl({ base }: Graph, path: string): URL {
  const hasVersion = /\/v\d+\.\d+\/?$/.test(base);
  return joinUrl(hasVersion ? base : joinUrl(base, VERSION).href, path);
}

function get(graph: Graph, { path, params, timeouts }: GraphRead): Promise<HttpResponse> {
  const url = graphUrl(graph, path);
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
