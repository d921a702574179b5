import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { World, WorldSource } from './world.js';

const id = z.union([z.string(), z.number()]).transform(String);
const TraceLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('source'),
    id,
    allow: z.object({ minIntervalSeconds: z.number().nonnegative().nullish() }).nullish(),
  }),
  z.object({ type: z.literal('followers'), id, at: z.number(), active: z.number().nonnegative() }),
  z.object({ type: z.literal('post'), id, at: z.number() }),
]);
type TraceLine = z.infer<typeof TraceLine>;

/** Reads a world from JSON lines in any order. It ends with its last event. */
export async function readTrace(file: string): Promise<World> {
  const sources = new Map<string, WorldSource>();
  let [number, end] = [0, 0];
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number++;
    if (!text.trim()) continue;
    const line = readLine(text, `${file}, line ${number}`);
    add(sources, line);
    if (line.type !== 'source') end = Math.max(end, line.at);
  }
  for (const { posts, followers } of sources.values()) {
    posts.sort((a, b) => a - b);
    followers.sort((a, b) => a.at - b.at);
  }
  return { sources: [...sources.values()], end };
}

function readLine(text: string, where: string): TraceLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadTrace(`${where}: this is no JSON.`);
  }
  const { data, error } = TraceLine.safeParse(value);
  if (data) return data;
  const { path, message } = error.issues[0] ?? { path: [], message: 'not understood' };
  throw new BadTrace(`${where}: ${path.join('.') || 'the line'}: ${message}`);
}

export class BadTrace extends Error {}

function add(sources: Map<string, WorldSource>, line: TraceLine): void {
  const source = sources.get(line.id) ?? { id: line.id, followers: [], posts: [] };
  sources.set(line.id, source);
  if (line.type === 'post') source.posts.push(line.at);
  else if (line.type === 'followers') source.followers.push({ at: line.at, active: line.active });
  else if (line.allow?.minIntervalSeconds) source.minIntervalSeconds = line.allow.minIntervalSeconds;
}

/** Returns the lines of a world. */
export function* traceOf({ sources }: World): Generator<string> {
  for (const { id, minIntervalSeconds, followers, posts } of sources) {
    yield JSON.stringify({ type: 'source', id, allow: minIntervalSeconds ? { minIntervalSeconds } : {} });
    for (const { at, active } of followers) yield JSON.stringify({ type: 'followers', id, at, active });
    for (const at of posts) yield JSON.stringify({ type: 'post', id, at });
  }
}
