import { INLINE, SAFE_HTML } from '../safe-html-schema.js';
import { type AttributeRule, rulesOf } from './plain-attributes.js';

/** How the HTML parser treats an element, as far as well-formed HTML depends on it. */
export interface PlainElement {
  name: string;
  /** Empty if only its content is kept. */
  startTag: string;
  endTag: string;
  isVoid: boolean;
  /** Even without attributes, `safeStartTag` decides. */
  isDependent: boolean;
  /** Its start tag ends an open paragraph. */
  isBlock: boolean;
  isHeading: boolean;
  /** The parser repeats open formatting elements, and limits how often the same one is nested. */
  isFormatting: boolean;
  /** In other elements, its start tag may end one of the same kind. */
  parents: string[] | undefined;
  /** Separates its words from those around it. */
  gap: string;
  attributes: Map<string, AttributeRule>;
}

const HEADINGS = 'h1 h2 h3 h4 h5 h6'.split(' ');
const BLOCKS =
  'address article aside blockquote center dd div dl dt figcaption figure footer header hr li main nav ol p pre section ul'
    .split(' ')
    .concat(HEADINGS);
const FORMATTING = 'a b big code em font i s small strike strong tt u'.split(' ');
const OTHERS =
  'abbr bdi bdo br cite del dfn iframe img ins kbd mark picture q samp source span sub sup time var wbr'.split(' ');
/** An iframe counts as void because `repairHtml` closes it at once. */
const VOID = 'br hr iframe img source wbr'.split(' ');
/** Elements whose tag is not a matter of the schema alone, with or without attributes. */
const DEPENDENT = ['iframe', 'img', 'source'];
const PARENTS: Record<string, string[]> = { li: ['ul', 'ol'], dt: ['dl'], dd: ['dl'] };

export const PLAIN_ELEMENTS: ReadonlyMap<string, PlainElement> = new Map(
  [...BLOCKS, ...FORMATTING, ...OTHERS].map((name) => [name, plainElement(name)]),
);

function plainElement(name: string): PlainElement {
  const isKept = SAFE_HTML.tagNames?.includes(name) ?? false;
  const isVoid = VOID.includes(name);
  return {
    name,
    startTag: isKept ? `<${name}>` : '',
    endTag: isKept && !isVoid ? `</${name}>` : '',
    isVoid,
    isDependent: DEPENDENT.includes(name),
    isBlock: BLOCKS.includes(name),
    isHeading: HEADINGS.includes(name),
    isFormatting: FORMATTING.includes(name),
    parents: PARENTS[name],
    gap: isKept && !INLINE.has(name) ? ' ' : '',
    attributes: isKept || DEPENDENT.includes(name) ? rulesOf(name) : new Map(),
  };
}
