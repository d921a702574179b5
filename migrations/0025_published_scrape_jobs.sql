ALTER TABLE "scrape_jobs" ADD COLUMN "published_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scrape_jobs" ADD COLUMN "answer_by" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scrape_jobs" ADD COLUMN "gave_up_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scrape_jobs" ADD COLUMN "result_hashes" text[] DEFAULT '{}' NOT NULL;