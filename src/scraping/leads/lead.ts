export interface FoundLead {
  name: string;
  domain?: string | undefined;
  emails?: string[] | undefined;
  phones?: string[] | undefined;
  address?: string | undefined;
  /** A code or a name in some language, as the source writes it. */
  country?: string | undefined;
  description?: string | undefined;
  url?: string | undefined;
  /** The number of employees and the year of the foundation, for filters. They are not stored. */
  companySize?: { min?: number | undefined; max?: number | undefined } | undefined;
  founded?: number | undefined;
  /** The source's own data, for users who need more of it. */
  raw?: unknown;
}

/** A normalised lead, so that different sources agree about one company. */
export interface Lead {
  name: string;
  domain: string | null;
  emails: string[];
  /** Numbers in E.164 if their country is known, otherwise tidied as they were. */
  phones: string[];
  address: string | null;
  /** An ISO 3166-1 alpha-2 code, if the country is known. */
  country: string | null;
  description: string | null;
  url: string | null;
  rawPayload: unknown;
}
