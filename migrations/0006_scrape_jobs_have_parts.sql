DROP INDEX "scrape_jobs_waiting";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "total_found";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "total_processed";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "duplicates";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "job_state";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "job_run";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "job_fence";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "job_priority";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "job_run_at";--> statement-breakpoint
ALTER TABLE "scrape_jobs" DROP COLUMN "job_sweep_at";