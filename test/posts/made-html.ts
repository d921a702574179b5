import { HOSTILE_HTML } from '../hostile-html.js';

const BLOCKS =
  'p p p div div ul ol li dl dt dd h1 h2 h6 pre blockquote figure figcaption section article nav center table td form'.split(
    ' ',
  );
const INLINE =
  'a a a b i em strong code span span font big small u s tt sub del ins q time mark label abbr cite picture iframe object x-y'.split(
    ' ',
  );
const VOID = 'br br hr img img img wbr source iframe input'.split(' ');

const WORDS = [
  'word ',
  ' ',
  '\n',
  '\t',
  'ünï 日本語 🙂',
  '\u00a0',
  '\u000b',
  '\f',
  'x > y',
  '"',
  "'",
  '=',
  ']]>',
  '\ufeff',
  '\u2028',
  '\ud800',
  '\u0085',
  '\u200b',
  '\r\n',
  '\r',
];
const COMMENTS = ['<!-- a -->', '<!---->', '<!--->', '<!-->', '<!-- -- --!>', '<!--a-->b-->', '<!-- <b> -->', '<!a>'];
const REFERENCES = [
  '&amp;',
  '&lt;',
  '&gt;',
  '&lt;script&gt;',
  '&quot;',
  '&apos;',
  '&nbsp;',
  '&hellip;',
  '&eacute;',
  '&#39;',
  '&#x27;',
  '&#X41;',
  '&#8217;',
  '&#128512;',
  '&#10;',
  '& ',
  '&',
  '&;',
  '&&amp;',
  '&copy',
  '&copy=1',
  '&amp=1',
  '&not',
  '&notin;',
  '&AMP;',
  '&unknown;',
  '&#133;',
  '&#13;',
  '&#0;',
  '&#xD800;',
  '&#x110000;',
  '&#;',
  '&#x;',
  '&a=b&c=d',
  '&lt',
  '&lt=',
  '&NBSP;',
];
const ADDRESSES = [
  'https://a.example/b',
  'https://player.example/embed/1',
  'https://a.example',
  'http://a.example/b-c/d_e.html?f=1&g=2',
  'https://a.example/b?c=1&amp;d=2#e',
  'HTTPS://A.example/',
  'https://a.example/x/../y',
  'https://a.example/./y',
  'https://a.example/%2e%2e/y',
  'https://a.example/.well',
  'https://xn--a/',
  'https://foo.123/',
  'http://1.2.3.4.5/',
  'http://10.0.0.1/',
  'http://0x7f.1/',
  'https://ü.example/ä ö',
  'https://a.example:443/',
  'https://u:p@a.example/',
  'https:a',
  'http:///a.example',
  'https:\\\\a.example\\b',
  '//cdn.example/a.png',
  '/path?x=1&copy=2',
  'a.png',
  '#note',
  '?q',
  '',
  ' https://a.example/b ',
  'https://a.exa\nmple/b',
  'mailto:a@b.example',
  'tel:+1',
  'javascript:alert(1)',
  'java&#115;cript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'blob:https://a.example/1',
  'ftp://a.example/',
  'http://[',
];
const VALUES = [
  '',
  'x',
  'x y',
  'language-ts',
  'language-ts other',
  '1',
  '0',
  '600',
  '100%',
  '0x10',
  ' 7 ',
  '1e3',
  '-1',
];
const STYLES = ['display:none', 'color:red', 'width:1px', 'width: 0', 'visibility : hidden', 'background:url(x)'];
const ATTRIBUTES =
  'class id style title lang dir rel target width height alt loading srcset start type value reversed datetime cite data-src data--src data-lazy-src data-original onclick onerror classname data-x xml:lang xmlns border align name'.split(
    ' ',
  );

export class MadeHtml {
  constructor(private readonly random: () => number) {}

  /** Well-formed HTML, of which a parser need not repair much. */
  nested(depth = 4): string {
    const count = 1 + Math.floor(this.random() * 3);
    return Array.from({ length: count }, () => this.node(depth)).join('');
  }

  /** The same HTML with one to three mistakes. */
  damaged(html: string): string {
    let text = html;
    for (let accidents = 1 + Math.floor(this.random() * 3); accidents > 0; accidents--) text = this.withAccident(text);
    return text;
  }

  private withAccident(html: string): string {
    const from = Math.floor(this.random() * html.length);
    const to = from + Math.floor(this.random() * 12);
    const other = Math.floor(this.random() * html.length);
    const accidents = [
      () => html.slice(0, from) + html.slice(to),
      () => html.slice(0, from) + html.slice(from, to) + html.slice(from),
      () => html.slice(0, other) + html.slice(from, to) + html.slice(other),
      () =>
        html.slice(0, from) +
        this.one(['<', '>', '/', '"', "'", '=', '&', ' ', '\0', '<!--', '-->', '</']) +
        html.slice(from),
      () => html.slice(0, from) + this.one(HOSTILE_HTML) + html.slice(from),
      () => html.slice(0, from) + this.node(1) + html.slice(from),
      () => html.slice(0, from) + html.slice(from, to).toUpperCase() + html.slice(to),
    ];
    return this.one(accidents)();
  }

  private node(depth: number): string {
    const kind = this.random();
    if (depth === 0 || kind < 0.3) return this.text();
    if (kind < 0.45) return `<${this.one(VOID)}${this.attributes()}${this.one(['', '', ' /', '/'])}>`;
    const name = this.one(kind < 0.7 ? BLOCKS : INLINE);
    const content = this.nested(depth - 1);
    if (name === 'ul') return `<ul${this.attributes()}><li>${content}</li>${this.one(['', '\n', '<li>x</li>'])}</ul>`;
    return `<${name}${this.attributes()}>${content}</${name}>`;
  }

  private text(): string {
    if (this.random() < 0.03) return this.one(COMMENTS);
    return this.random() < 0.7 ? this.one(WORDS) : this.one(REFERENCES);
  }

  private attributes(): string {
    if (this.random() < 0.4) return '';
    return Array.from({ length: 1 + Math.floor(this.random() * 3) }, () => this.attribute()).join('');
  }

  private attribute(): string {
    const isAddress = this.random() < 0.4;
    const name = isAddress ? this.one(['href', 'src', 'cite', 'data-src']) : this.one(ATTRIBUTES);
    const value = isAddress ? this.one(ADDRESSES) : this.value(name);
    const space = this.one([' ', ' ', ' ', '\n', '  ']);
    const quoted = this.random();
    if (quoted < 0.6) return `${space}${name}="${value}"`;
    if (quoted < 0.75) return `${space}${name}='${value}'`;
    if (quoted < 0.85) return `${space}${name} = "${value}"`;
    return quoted < 0.95 ? `${space}${name}=${value}` : `${space}${name}`;
  }

  private value(name: string): string {
    if (name === 'style') return this.one(STYLES);
    return this.random() < 0.5 ? this.one(VALUES) : this.text() + this.text();
  }

  private one<T>(of: T[]): T {
    return of[Math.floor(this.random() * of.length)] as T;
  }
}
