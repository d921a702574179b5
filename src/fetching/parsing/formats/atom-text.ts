import type { AtomFeed } from 'feedsmith';
import { cleanText } from '../text/clean-text.js';
import { escapeHtml } from '../text/escape-html.js';
import { oneLine, plainText } from '../text/plain-text.js';

type Text = Pick<AtomFeed.Content, 'value' | 'type'>;

export function atomHtml({ value, type }: Text = {}): string | undefined {
  if (!value) return undefined;
  switch (kindOf(value, type)) {
    case 'html':
      return value;
    case 'text':
      return escapeHtml(value);
    case 'binary':
      return fromBase64(value);
  }
}

export function atomLine(text: Text = {}): string | undefined {
  if (!text.value) return undefined;
  const isText = kindOf(text.value, text.type) === 'text';
  // A title of an unknown type is treated as text.
  return (isText ? oneLine(text.value) : plainText(atomHtml(text) ?? text.value)) || undefined;
}

function kindOf(value: string, type: string | undefined): 'html' | 'text' | 'binary' {
  const kind = type?.toLowerCase().split(';')[0]?.trim();
  // The default type is text, but feeds that omit the type often contain HTML.
  if (!kind) return looksLikeHtml(value) ? 'html' : 'text';
  if (/^(x?html|text\/html|.*[/+]xml)$/.test(kind)) return 'html';
  return /^text/.test(kind) || !kind.includes('/') ? 'text' : 'binary';
}

function looksLikeHtml(value: string): boolean {
  return /<\/[a-z][a-z0-9]*\s*>|<(?:br|hr|img|p)\b[^<>]*>|&(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]+);/i.test(value);
}

/** Other types are base64 according to the standard. Content that is not text cannot be shown. */
function fromBase64(value: string): string | undefined {
  if (!/^[A-Za-z0-9+/\s]+=*$/.test(value.trimEnd())) return value;
  const text = cleanText(Buffer.from(value, 'base64').toString());
  return text.includes('\ufffd') ? undefined : text;
}
