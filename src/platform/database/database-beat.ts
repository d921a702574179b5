import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { renameWithRetries } from '../data-folder/rename-with-retries.js';
import type { Db } from './database.js';
import { databaseBeats } from './database-beats.table.js';

// The database counts beats, and the data folder stores the last count. The database is written first, so the folder is
// ahead only if the database was replaced by an older state: a backup, or a replica that had not received everything.

const KnownBeat = z.object({ database: z.string(), beat: z.number() });
type KnownBeat = z.infer<typeof KnownBeat>;

interface Beat extends KnownBeat {
  /** The time of the previous beat. Everything in a backup happened before or shortly after it. */
  previousAt: Date;
}

export async function countBeat(db: Db, now: Date): Promise<Beat> {
  await db.insert(databaseBeats).values({ id: 1, beatAt: now }).onConflictDoNothing();
  const [before] = await db.select().from(databaseBeats).where(eq(databaseBeats.id, 1)).for('update');
  if (!before) throw new Error('the row that counts the beats of the database was removed');
  const beat = before.beat + 1;
  await db
    .update(databaseBeats)
    .set({ beat, beatAt: sql`greatest(beat_at, ${now.toISOString()}::timestamptz)` })
    .where(eq(databaseBeats.id, 1));
  return { database: before.database, beat, previousAt: before.beatAt };
}

export function hasGoneBack({ database, beat }: KnownBeat, known: KnownBeat | undefined): boolean {
  return known?.database === database && known.beat >= beat;
}

export async function readKnownBeat(dataDir: string): Promise<KnownBeat | undefined> {
  try {
    return KnownBeat.parse(JSON.parse(await readFile(beatFile(dataDir), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // A power failure may have left the file empty; the next beat writes it again.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** Call this after the transaction that counted the beat has been committed. */
export async function writeKnownBeat(dataDir: string, { database, beat }: KnownBeat): Promise<void> {
  const draft = `${beatFile(dataDir)}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, JSON.stringify({ database, beat }), { mode: 0o600 });
  await renameWithRetries(draft, beatFile(dataDir));
}

const beatFile = (dataDir: string) => join(dataDir, 'database-beat.json');
