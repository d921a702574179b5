CREATE TABLE "alerts" (
	"key" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"roles" jsonb NOT NULL,
	"version" text NOT NULL,
	"running" jsonb NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_minutes" (
	"minute" timestamp with time zone NOT NULL,
	"queue" text NOT NULL,
	"outcome" text NOT NULL,
	"count" integer NOT NULL,
	"total_ms" bigint NOT NULL,
	CONSTRAINT "job_minutes_minute_queue_outcome_pk" PRIMARY KEY("minute","queue","outcome")
);
--> statement-breakpoint
CREATE INDEX "posts_found" ON "posts" USING brin ("found_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "publication_changes_at" ON "publication_changes" USING brin ("at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "publications_unknown" ON "publications" USING btree ("id") WHERE status = 'unknown';