import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { contentSecurityPolicy } from './security-headers.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14171c); color: light-dark(#1c2430, #e6e9ee); }
main { width: min(22rem, calc(100vw - 4rem)); padding: 2rem; border-radius: 12px; background: light-dark(#fff, #1e232b); box-shadow: 0 1px 3px rgb(0 0 0 / .2); }
h1 { margin: 0 0 1rem; font-size: 1.4rem; }
a { color: light-dark(#1f5fbf, #8ab8ff); }
label { display: block; font-weight: 600; }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: .6rem .7rem; border-radius: 8px; }
input { margin: .25rem 0 1rem; border: 1px solid light-dark(#78808c, #6b7482); background: transparent; color: inherit; }
button { border: 0; background: #1f5fbf; color: #fff; font-weight: 600; cursor: pointer; }
:is(input, button, a):focus-visible { outline: 3px solid #4d90f0; outline-offset: 2px; }
p { margin: 1rem 0 0; font-size: .9rem; }
p[role=alert] { margin: 0 0 1rem; color: light-dark(#a81e1e, #ff9c9c); }
`;

const POLICY = contentSecurityPolicy(`'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`);

export interface PlainPage {
  title: string;
  /** HTML in which all external input has been escaped. */
  content: string;
  status?: number;
}

export function sendPlainPage(reply: FastifyReply, { title, content, status = 200 }: PlainPage): FastifyReply {
  return reply
    .status(status)
    .header('Content-Security-Policy', POLICY)
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`);
}
