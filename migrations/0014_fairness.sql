ALTER TABLE "websub_subscriptions" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "failed_items" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "import_batches" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "import_feeds" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "import_hosts" ADD COLUMN "return_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "scrape_parts" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "slow" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "job_owner" text;--> statement-breakpoint
CREATE INDEX "scrape_parts_turns" ON "scrape_parts" USING btree ("job_priority","job_owner") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE INDEX "fetch_states_owned" ON "fetch_states" USING btree ("job_owner") WHERE job_state = 'waiting' AND job_owner IS NOT NULL;--> statement-breakpoint
CREATE INDEX "fetch_states_slow" ON "fetch_states" USING btree ("type") WHERE slow AND job_state = 'waiting';