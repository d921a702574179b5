/** A source as its type spells it. */
export interface SourceIdentity {
  type: string;
  externalId: string;
}

/** What kinds of sources there are; `fetching/` knows, and provides it. */
export abstract class SourceTypes {
  abstract names(): string[];
  /** In the spelling that stands for the source. Throws an ApiError that says what is wrong with it. */
  abstract identify(type: string, externalId: string): SourceIdentity;
  /** The source that an address of a profile or channel means, if it is one. May ask the site. */
  abstract recognise(url: URL, signal: AbortSignal): Promise<SourceIdentity | undefined>;
  /** Whether a document is a feed; its title if it is. */
  abstract readFeed(document: {
    body: Uint8Array;
    contentType?: string | undefined;
    url: string;
  }): Promise<{ title?: string | undefined } | undefined>;
}
