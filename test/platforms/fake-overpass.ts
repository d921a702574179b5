import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Item, OverpassInterpreter, ParseError, type Tags } from '../../demo/search/overpass-interpreter.js';
import { startSite } from '../harness/site.js';

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

let servers = 0;

/** An Overpass server with a small map. It runs queries and fails as the real one does. */
export class FakeOverpass {
  /** All queries in order. */
  readonly queries: string[] = [];
  /** Answers every request like this instead. */
  refuses: Answer | undefined;
  /** A remark that is sent along with the results. */
  remark: string | undefined;
  /** Elements that are returned instead of those on the map. */
  elements: unknown[] | undefined;
  /** Its address after the start. */
  url = '';
  private readonly map: Item[] = [];

  async start(): Promise<this> {
    servers += 1;
    const site = await startSite(this.listener);
    // Starts at its own host, because a refusal closes the host for all.
    this.url = site.url('/', `overpass-${servers}.example`);
    return this;
  }

  /** Adds a place, possibly inside others. Returns the id of its area. */
  place(tags: Tags, ...within: number[]): number {
    const id = this.map.length + 1;
    const item = { id, tags: { boundary: 'administrative', ...tags }, lat: 0, lon: 0, within };
    this.map.push({ ...item, type: 'relation' }, { ...item, type: 'area', id: 3_600_000_000 + id });
    return 3_600_000_000 + id;
  }

  /** Adds an element in these places. */
  add(tags: Tags, ...within: number[]): Item {
    const item: Item = { type: 'node', id: this.map.length + 1, tags, lat: 52.5, lon: 13.4, within };
    this.map.push(item);
    return item;
  }

  readonly listener: RequestListener = async (request, response) => {
    const { status, body, headers } = this.refuses ?? this.answer(request, await text(request));
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

  private answer({ method, url, headers }: IncomingMessage, form: string): Answer {
    if (method !== 'POST' || url !== '/api/interpreter') return { status: 404, body: 'Not Found' };
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') return errorPage(400, 'no form');
    const query = new URLSearchParams(form).get('data') ?? '';
    this.queries.push(query);
    try {
      const elements = new OverpassInterpreter(query, this.map).run().map(shown);
      return { status: 200, body: answered(this.elements ?? elements, this.remark) };
    } catch (error) {
      if (error instanceof ParseError) return errorPage(400, error.message);
      throw error;
    }
  }
}

export const answered = (elements: unknown[], remark?: string) => ({
  version: 0.6,
  generator: 'Overpass API 0.7.62',
  osm3s: { timestamp_osm_base: '2030-01-01T00:00:00Z', copyright: 'ODbL' },
  elements,
  ...(remark && { remark }),
});

/** Nodes have a position, ways and relations a centre, areas neither. */
function shown({ type, id, tags, lat, lon }: Item) {
  if (type === 'area') return { type, id, tags };
  return type === 'node' ? { type, id, lat, lon, tags } : { type, id, center: { lat, lon }, tags };
}

export function errorPage(status: number, message: string): Answer {
  const words = message.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const paragraph = `<p><strong style="color:#FF0000">Error</strong>: ${words} </p>`;
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<html><head><title>OSM3S Response</title></head><body>${paragraph}</body></html>`;
  return { status, body, headers: { 'Content-Type': 'text/html; charset=utf-8' } };
}
