ALTER TABLE "scrape_jobs" ADD COLUMN "total_found" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scrape_jobs" ADD COLUMN "total_processed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scrape_jobs" ADD COLUMN "duplicates" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "raw_leads" ADD COLUMN "scrape_job_id" bigint;--> statement-breakpoint
ALTER TABLE "raw_leads" ADD CONSTRAINT "raw_leads_scrape_job_id_scrape_jobs_id_fk" FOREIGN KEY ("scrape_job_id") REFERENCES "public"."scrape_jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "raw_leads_of_job" ON "raw_leads" USING btree ("scrape_job_id");
--> statement-breakpoint
-- A trigger, because processes of the previous version count, too, while a fleet is upgraded. Its lock on the table lets
-- no count slip between it and the sums below. A part is always locked before its job.
CREATE FUNCTION "scrape_jobs_add_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "scrape_jobs" SET
    "total_found" = "total_found" + NEW."found" - OLD."found",
    "total_processed" = "total_processed" + NEW."processed" - OLD."processed",
    "duplicates" = "duplicates" + NEW."duplicates" - OLD."duplicates"
  WHERE "id" = NEW."scrape_job_id";
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "scrape_parts_counts" AFTER UPDATE ON "scrape_parts"
  FOR EACH ROW WHEN ((OLD."found", OLD."processed", OLD."duplicates") IS DISTINCT FROM (NEW."found", NEW."processed", NEW."duplicates"))
  EXECUTE FUNCTION "scrape_jobs_add_counts"();--> statement-breakpoint
UPDATE "scrape_jobs" SET "total_found" = "sums"."found", "total_processed" = "sums"."processed", "duplicates" = "sums"."duplicates"
FROM (
  SELECT "scrape_job_id", sum("found") AS "found", sum("processed") AS "processed", sum("duplicates") AS "duplicates"
  FROM "scrape_parts" GROUP BY "scrape_job_id"
) AS "sums"
WHERE "scrape_jobs"."id" = "sums"."scrape_job_id";--> statement-breakpoint
UPDATE "raw_leads" SET "scrape_job_id" = "scrape_parts"."scrape_job_id"
FROM "lead_finds" JOIN "scrape_parts" ON "scrape_parts"."id" = "lead_finds"."part_id"
WHERE "lead_finds"."lead_id" = "raw_leads"."id" AND NOT "lead_finds"."duplicate";--> statement-breakpoint
-- Teams may keep tables of their own in this database, and one of that name must not prevent a start.
DO $do$ BEGIN
  IF to_regclass('social_posts') IS NULL THEN
    CREATE VIEW "social_posts" AS
    SELECT "publications"."id", "publications"."user_id", coalesce("users"."external_id", "users"."name") AS "user_name",
      "publications"."account_id", "accounts"."name" AS "account_name", "publications"."platform",
      "publications"."content"->>'text' AS "content", "publications"."content"->'mediaUrls' AS "media_urls",
      "publications"."content"->>'link' AS "link", "publications"."content"->>'title' AS "title",
      "publications"."status", (ARRAY['high', 'normal', 'low'])["publications"."priority" + 1] AS "priority",
      "publications"."scheduled_at", "publications"."published_at", "publications"."created_at",
      "publications"."attempts", "publications"."last_error" AS "error_message", "publications"."waiting_for",
      "publications"."platform_post_id", "publications"."platform_url", "publications"."processed_by"
    FROM "publications"
    JOIN "accounts" ON "accounts"."id" = "publications"."account_id"
    JOIN "users" ON "users"."id" = "publications"."user_id";
  END IF;
END $do$;
