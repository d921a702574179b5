CREATE TABLE "process_clocks" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"roles" jsonb NOT NULL,
	"skew_ms" integer NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "database_beats" (
	"id" smallint PRIMARY KEY NOT NULL,
	"database" uuid DEFAULT gen_random_uuid() NOT NULL,
	"beat" bigint DEFAULT 0 NOT NULL,
	"beat_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_deaths" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"queue" text NOT NULL,
	"subject" text NOT NULL,
	"noticed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"was_alone" boolean NOT NULL,
	"is_cause" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "work_minutes" (
	"minute" timestamp with time zone NOT NULL,
	"feature" text NOT NULL,
	"target" text NOT NULL,
	"result" text NOT NULL,
	"kind" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "work_minutes_minute_feature_target_result_pk" PRIMARY KEY("minute","feature","target","result")
);
--> statement-breakpoint
CREATE TABLE "publishing_holds" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"label" text,
	"backup_at" timestamp with time zone NOT NULL,
	"held_at" timestamp with time zone NOT NULL,
	"released_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "restore_check_results" (
	"hold_id" bigint NOT NULL,
	"publication_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "restore_check_results_publication_id_hold_id_pk" PRIMARY KEY("publication_id","hold_id")
);
--> statement-breakpoint
ALTER TABLE "websub_subscriptions" ADD COLUMN "job_cause" text;--> statement-breakpoint
ALTER TABLE "failed_items" ADD COLUMN "job_cause" text;--> statement-breakpoint
ALTER TABLE "import_batches" ADD COLUMN "job_cause" text;--> statement-breakpoint
ALTER TABLE "import_feeds" ADD COLUMN "job_cause" text;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "result" text;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "work_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "cause" text;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "target" text;--> statement-breakpoint
ALTER TABLE "job_runs" ADD COLUMN "details" jsonb;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "postponements" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "job_cause" text;--> statement-breakpoint
ALTER TABLE "scrape_parts" ADD COLUMN "job_cause" text;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "moved_to" bigint;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "moved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "moved_here" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "job_cause" text;--> statement-breakpoint
ALTER TABLE "restore_check_results" ADD CONSTRAINT "restore_check_results_hold_id_publishing_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."publishing_holds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "restore_check_results" ADD CONSTRAINT "restore_check_results_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_deaths_noticed" ON "job_deaths" USING btree ("noticed_at");--> statement-breakpoint
CREATE INDEX "job_deaths_subject" ON "job_deaths" USING btree ("queue","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "publishing_holds_active" ON "publishing_holds" USING btree ((released_at IS NULL)) WHERE released_at IS NULL;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD CONSTRAINT "fetch_states_moved_to_sources_id_fk" FOREIGN KEY ("moved_to") REFERENCES "public"."sources"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dead_letters_open_recent" ON "dead_letters" USING btree ("last_failed_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "job_runs_work_failed" ON "job_runs" USING btree ("id") WHERE work_failed;--> statement-breakpoint
CREATE INDEX "fetch_states_moved_to" ON "fetch_states" USING btree ("moved_to") WHERE moved_to IS NOT NULL;