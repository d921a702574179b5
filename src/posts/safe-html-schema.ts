import type { Schema } from 'hast-util-sanitize';

const SIZE = /^\d{1,4}%?$/;

/** SVG shapes; `tidy` removes all other SVG elements. */
const SHAPES = ['g', 'path', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'rect'];
const SVG_SIZE = /^\d{1,4}(?:\.\d+)?(?:px)?$/;
const NUMBERS = /^[\d\s.,a-z%-]{1,20000}$/i;
const COLOUR = /^(?:#[\da-f]{3,8}|[a-z]{3,30}|rgb\([\d\s,.%]{1,40}\))$/i;
const SHAPE_ATTRIBUTES: [string, RegExp][] = [
  ...'cx cy r rx ry x y x1 x2 y1 y2 width height d points strokeWidth'
    .split(' ')
    .map((name): [string, RegExp] => [name, NUMBERS]),
  ['fill', COLOUR],
  ['stroke', COLOUR],
];

const SECTION_TAGS = 'address article aside blockquote center div footer header hr main p pre section'.split(' ');
const LIST_TAGS = 'h1 h2 h3 h4 h5 h6 ol ul li dl dt dd details summary figure figcaption'.split(' ');
const TABLE_TAGS = 'table caption colgroup col thead tbody tfoot tr th td'.split(' ');
const TEXT_TAGS =
  'a abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr ruby rp rt'.split(
    ' ',
  );
const MEDIA_TAGS = 'img picture audio video source'.split(' ');
const SCRIPT_TAGS = 'script style template title head math iframe frame frameset noframes noembed'.split(' ');
const EMBED_TAGS = 'embed applet canvas button input select textarea option datalist dialog portal'.split(' ');

/** Elements that do not separate words. */
export const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/**
 * The allowed HTML; other elements are replaced by their content. It includes no raw text elements (style, noscript,
 * title, …), no MathML, no comments, and only SVG shapes without text, so that browsers parse the result as it was
 * written.
 */
export const SAFE_HTML: Schema = {
  tagNames: [...SECTION_TAGS, ...LIST_TAGS, ...TABLE_TAGS, ...TEXT_TAGS, ...MEDIA_TAGS, 'svg', ...SHAPES],
  attributes: {
    '*': ['dir', 'lang', 'title'],
    a: ['href', 'rel'],
    audio: ['src', 'controls', 'preload'],
    blockquote: ['cite'],
    code: [['className', /^language-[\w-]{1,40}$/]],
    col: [['span', /^\d{1,3}$/]],
    del: ['cite', 'dateTime'],
    details: ['open'],
    img: ['src', 'alt', ['width', SIZE], ['height', SIZE], 'loading'],
    ins: ['cite', 'dateTime'],
    li: ['value'],
    ol: ['start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    q: ['cite'],
    source: ['src', 'type'],
    svg: [
      ['width', SVG_SIZE],
      ['height', SVG_SIZE],
      ['viewBox', NUMBERS],
    ],
    ...Object.fromEntries(SHAPES.map((name) => [name, SHAPE_ATTRIBUTES])),
    td: [
      ['colSpan', /^\d{1,3}$/],
      ['rowSpan', /^\d{1,3}$/],
      ['align', 'left', 'center', 'right'],
    ],
    th: [['colSpan', /^\d{1,3}$/], ['rowSpan', /^\d{1,3}$/], ['align', 'left', 'center', 'right'], 'scope'],
    time: ['dateTime'],
    video: ['src', 'poster', ['width', SIZE], ['height', SIZE], 'controls', 'preload'],
  },
  protocols: {
    cite: ['http', 'https'],
    href: ['http', 'https', 'mailto', 'tel'],
    poster: ['http', 'https'],
    src: ['http', 'https'],
  },
  ancestors: {
    ...Object.fromEntries(
      ['caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((name) => [name, ['table']]),
    ),
    ...Object.fromEntries(SHAPES.map((name) => [name, ['svg']])),
    source: ['audio', 'video'],
    summary: ['details'],
  },
  strip: [...SCRIPT_TAGS, ...EMBED_TAGS],
  clobber: [],
  required: {},
};
