ALTER TABLE "feed_tokens" ADD COLUMN "key_id" bigint;--> statement-breakpoint
ALTER TABLE "websub_subscriptions" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "failed_items" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "import_batches" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "import_feeds" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "import_hosts" ADD COLUMN "return_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "process_clocks" ADD COLUMN "is_memory_low" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "process_clocks" ADD COLUMN "heap_percent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "process_clocks" ADD COLUMN "max_stall_ms" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "resolution_problem" jsonb;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "scrape_parts" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "slow" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "job_owner" text;--> statement-breakpoint
ALTER TABLE "feed_tokens" ADD CONSTRAINT "feed_tokens_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scrape_parts_turns" ON "scrape_parts" USING btree ("job_priority","job_owner") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE INDEX "fetch_states_owned" ON "fetch_states" USING btree ("job_owner") WHERE job_state = 'waiting' AND job_owner IS NOT NULL;--> statement-breakpoint
CREATE INDEX "fetch_states_slow" ON "fetch_states" USING btree ("type") WHERE slow AND job_state = 'waiting';