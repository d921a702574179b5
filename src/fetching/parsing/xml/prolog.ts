interface Prolog {
  doctype?: { start: number; end: number } | undefined;
  root: number;
}

/** Markup inside the document type is skipped by its brackets and quotes. */
export function prologOf(text: string): Prolog {
  let doctype: Prolog['doctype'];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const start = at;
    if (text.startsWith('<?', at)) at = after(text, '?>', at);
    else if (text.startsWith('<!--', at)) at = after(text, '-->', at);
    else if (text.startsWith('<!', at)) {
      at = doctypeEnd(text, at);
      doctype ??= { start, end: at };
    } else return { doctype, root: at };
  }
  return { doctype, root: text.length };
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

function doctypeEnd(text: string, from: number): number {
  const subset = /[[>]/g;
  subset.lastIndex = from;
  const found = subset.exec(text);
  if (!found) return text.length;
  return found[0] === '>' ? subset.lastIndex : after(text, '>', subsetEnd(text, subset.lastIndex));
}

function subsetEnd(text: string, from: number): number {
  const token = /\]|"[^"]*"|'[^']*'|<!--/g;
  token.lastIndex = from;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === ']') return token.lastIndex;
    if (found[0] === '<!--') token.lastIndex = after(text, '-->', token.lastIndex);
  }
  return text.length;
}
