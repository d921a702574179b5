/**
 * BullMQ on PostgreSQL puts a job whose worker died behind all that waits; on Redis it comes first. With a long backlog
 * the difference is hours, so it comes first here too. Idempotent; to be run after BullMQ's own migrations.
 */
export const STALLED_FIRST = `
CREATE OR REPLACE FUNCTION bullmq.millrace_stalled_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.seq := -abs(NEW.seq);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER millrace_stalled_first BEFORE UPDATE OF stalled_count ON bullmq.job
  FOR EACH ROW WHEN (NEW.stalled_count > OLD.stalled_count) EXECUTE FUNCTION bullmq.millrace_stalled_first();
`;
