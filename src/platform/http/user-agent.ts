import { VERSION } from '../process/version.js';

/** Names Millrace and, if the operator has set one, a contact URL for complaints. */
export function userAgent(contactUrl: string | undefined): string {
  return `Millrace/${VERSION} (${contactUrl ? `+${contactUrl}` : 'self-hosted feed engine'})`;
}
