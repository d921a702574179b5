import type { Step } from './traced.js';

const VERB = /^\s*(\w+)/;
/** Not the UPDATE of `FOR UPDATE` and `DO UPDATE`. */
const WRITE = /\b(insert into|delete from|(?<!\b(?:for|key|do)\s+)update)\s+"?([a-z_]\w*)/i;
/** The first that is no function. */
const TABLE = /\b(?:from|join)\s+"?([a-z_]\w*)"?(?![\w"]*\()/i;

/** Called by what is done and to which table. Its text has no values: those travel beside it. */
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

/** A statement that begins with WITH is what it writes first, else a SELECT. */
function deed(text: string): { operation: string; table: string | undefined } {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  const [, write = '', written] = /^(WITH|INSERT|UPDATE|DELETE)$/.test(verb) ? (WRITE.exec(text) ?? []) : [];
  if (written) return { operation: write.split(/\s/)[0]?.toUpperCase() ?? verb, table: written };
  return { operation: verb === 'WITH' ? 'SELECT' : verb, table: TABLE.exec(text)?.[1] };
}
