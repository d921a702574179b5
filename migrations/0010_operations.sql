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
CREATE INDEX "job_runs_started" ON "job_runs" USING brin ("started_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "job_runs_of_subject" ON "job_runs" USING btree ("queue","subject","id");--> statement-breakpoint
CREATE INDEX "job_runs_by_outcome" ON "job_runs" USING btree ("queue","outcome","id");