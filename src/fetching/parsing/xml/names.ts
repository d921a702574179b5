export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

export type AttributeName = 'xml:base' | 'xml:id' | 'href' | 'url' | 'src' | 'lastmod';

const ATTRIBUTES: Record<AttributeName, RegExp> = {
  'xml:base': /\sxml:base\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
  'xml:id': /\sxml:id\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
  href: /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
  url: /\surl\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
  lastmod: /\slastmod\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
  src: /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')/i,
};

export function attribute(tag: string, name: AttributeName): string | undefined {
  const [, double, single] = ATTRIBUTES[name].exec(tag) ?? [];
  return double ?? single;
}

export function withAttribute(tag: string, name: AttributeName, value: string): string {
  const written = ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
  const bare = tag.replace(ATTRIBUTES[name], '');
  const end = bare.endsWith('/>') ? '/>' : '>';
  return bare.slice(0, -end.length).trimEnd() + written + end;
}
