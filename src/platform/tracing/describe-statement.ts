import type { Step } from './traced.js';

const VERB = /^\s*(\w+)/;
/** Does not match the UPDATE of `FOR UPDATE` and `DO UPDATE`. */
const WRITE = /\b(insert into|delete from|(?<!\b(?:for|key|do)\s+)update)\s+"?([a-z_]\w*)/i;
/** Matches the first name that is not a function. */
const TABLE = /\b(?:from|join)\s+"?([a-z_]\w*)"?(?![\w"]*\()/i;

/** Names the span after the operation and the table. The text contains no values, which are sent separately. */
export function describeStatement(text: string): Step {
  const { operation, table } = deed(text);
  return {
    name: table ? `${operation} ${table}` : operation,
    kind: 'CLIENT',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table && { 'db.collection.name': table }),
      'db.query.text': text.trim().replace(/\s+/g, ' '),
    },
  };
}

/** A statement that begins with WITH is named after its first write, or else SELECT. */
function deed(text: string): { operation: string; table: string | undefined } {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const [, write = '', written] = /^(WITH|INSERT|UPDATE|DELETE)$/.test(verb) ? (WRITE.exec(text) ?? []) : [];
  if (written) return { operation: write.split(/\s/)[0]?.toUpperCase() ?? verb, table: written };
  return { operation: verb === 'WITH' ? 'SELECT' : verb, table: TABLE.exec(text)?.[1] };
}
