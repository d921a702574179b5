import { VERSION } from '../process/version.js';

/** Says who is asking, and where to complain when the operator has given an address. */
export function userAgent(contactUrl: string | undefined): string {
  return `Millrace/${VERSION} (${contactUrl ? `+${contactUrl}` : 'self-hosted feed engine'})`;
}
