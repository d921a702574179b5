import type { IncomingMessage, ServerResponse } from 'node:http';
import { startSite } from '../harness/site.js';

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export type SitePage = string | Answer | ((request: IncomingMessage, response: ServerResponse) => void);

export interface CompanySite {
  /** Its own host, because a refusal closes the host for all. */
  host: string;
  /** All requests in order. */
  asked: string[];
  pages: Record<string, SitePage>;
  url(path?: string, subdomain?: string): string;
}

let sites = 0;

/** The web site of a company. Paths without a page are answered with 404, including robots.txt. */
export async function startCompanySite(pages: Record<string, SitePage>): Promise<CompanySite> {
  sites += 1;
  const host = `company-${sites}.example`;
  const asked: string[] = [];
  const site = await startSite((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const page = pages[path] ?? { status: 404, body: 'not here' };
    if (typeof page === 'function') page(request, response);
    else send(response, typeof page === 'string' ? { body: page } : page);
  });
  const url = (path = '/', subdomain = '') => site.url(path, `${subdomain}${host}`);
  return { host, asked, pages, url };
}

function send(response: ServerResponse, { status = 200, headers, body = '' }: Answer): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
}

export const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');

export const jsonLd = (thing: object) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`;
