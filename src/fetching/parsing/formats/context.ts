/** What a format's reader needs beside the parsed document. */
export interface FormatContext {
  /** Of addresses outside of any `xml:base`. */
  base: string;
  /** The document itself, for the little that the feed parser leaves out. */
  text: string;
}
