export interface FormatContext {
  /** Base URL outside of any `xml:base`. */
  base: string;
  /** The document itself, for values that the feed parser leaves out. Empty for JSON. */
  text: string;
  /** Raw content of each item by its mark (mark-items.ts, json-document.ts). Empty if items are not marked. */
  rawItems: unknown[];
}
