/** A company as a source shows it. */
export interface FoundLead {
  name: string;
  domain?: string | undefined;
  emails?: string[] | undefined;
  phones?: string[] | undefined;
  address?: string | undefined;
  /** As written there: a code, or a name in some language. */
  country?: string | undefined;
  description?: string | undefined;
  /** Where it was found. */
  url?: string | undefined;
  /** What the source gave, for those who want more of it. */
  raw?: unknown;
}

/** The same, so that two sources that show one company agree. */
export interface Lead {
  name: string;
  /** Registrable, in ASCII. */
  domain: string | null;
  emails: string[];
  /** E.164 where they can be read as numbers of a country, else as they were, tidied. */
  phones: string[];
  address: string | null;
  /** ISO 3166-1 alpha-2 where it is known. */
  country: string | null;
  description: string | null;
  url: string | null;
  rawPayload: unknown;
}
