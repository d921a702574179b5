CREATE TABLE "alert_notices" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"body" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "canaries" (
	"path" text PRIMARY KEY NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"waiting_since" timestamp with time zone,
	"is_paused" boolean DEFAULT false NOT NULL,
	"excused_at" timestamp with time zone,
	"returned_at" timestamp with time zone,
	"round_trip_ms" integer
);
--> statement-breakpoint
CREATE TABLE "job_runs" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"queue" text NOT NULL,
	"job_id" text NOT NULL,
	"subject" text NOT NULL,
	"attempt" integer NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"started_at" timestamp with time zone NOT NULL,
	"ms" integer NOT NULL,
	"waited_ms" integer,
	"worker" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "alert" jsonb;--> statement-breakpoint
CREATE INDEX "alert_notices_of_key" ON "alert_notices" USING btree ("key","id");--> statement-breakpoint
CREATE INDEX "job_runs_of_queue" ON "job_runs" USING btree ("queue","id");--> statement-breakpoint
CREATE INDEX "job_runs_of_subject" ON "job_runs" USING btree (("id" / 250000),"subject");--> statement-breakpoint
CREATE INDEX "job_runs_failed" ON "job_runs" USING btree ("id") WHERE outcome IN ('failed', 'retried');--> statement-breakpoint
CREATE INDEX "job_runs_failed_of_queue" ON "job_runs" USING btree ("queue","id") WHERE outcome IN ('failed', 'retried');--> statement-breakpoint
CREATE INDEX "job_runs_odd" ON "job_runs" USING btree ("outcome","id") WHERE outcome NOT IN ('done', 'failed', 'retried');--> statement-breakpoint
-- Its rows come and go at the same rate: what went is to be filled again before a fifth of a large table has gone.
ALTER TABLE "job_runs" SET (autovacuum_vacuum_scale_factor = 0.02);
