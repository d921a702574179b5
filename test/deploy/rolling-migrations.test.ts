import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../program/millrace-process.js';
import { textOf } from './deploy-files.js';

/** Those up to here landed before fleets were upgraded while they run. */
const LAST_FREE = '0007';

/** What the version before, which still runs, may trip over. */
const TAKES_AWAY = /\b(DROP (TABLE|COLUMN|SCHEMA|TYPE)|RENAME|SET NOT NULL|SET DATA TYPE)\b/i;
const NEEDS_A_VALUE = /\bADD COLUMN\b(?!.*\bDEFAULT\b).*\bNOT NULL\b/i;

const migrations = readdirSync(join(ROOT, 'migrations')).filter(
  (name) => name.endsWith('.sql') && name > `${LAST_FREE}_~`,
);

describe.each(migrations)('the migration %s', (name) => {
  it('only adds, so that processes of the version before go on until they are replaced', () => {
    const statements = textOf(`migrations/${name}`).split('--> statement-breakpoint');
    expect(statements.filter((sql) => TAKES_AWAY.test(sql) || NEEDS_A_VALUE.test(sql))).toEqual([]);
  });
});
