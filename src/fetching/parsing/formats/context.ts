/** What a format's reader needs beside the parsed document. */
export interface FormatContext {
  /** Of addresses outside of any `xml:base`. */
  base: string;
  /** The document itself, for the little that the feed parser leaves out. Empty where it is JSON. */
  text: string;
  /** What is written in each item, by its mark (mark-items.ts, json-document.ts). Empty where they have none. */
  rawItems: unknown[];
}
