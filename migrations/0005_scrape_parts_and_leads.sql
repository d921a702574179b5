CREATE TABLE "lead_finds" (
	"part_id" bigint NOT NULL,
	"lead_id" bigint NOT NULL,
	"duplicate" boolean NOT NULL,
	CONSTRAINT "lead_finds_part_id_lead_id_pk" PRIMARY KEY("part_id","lead_id")
);
--> statement-breakpoint
CREATE TABLE "raw_leads" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"content_hash" text NOT NULL,
	"name" text NOT NULL,
	"domain" text,
	"emails" text[] NOT NULL,
	"phones" text[] NOT NULL,
	"address" text,
	"country" text,
	"description" text,
	"url" text,
	"source_type" text NOT NULL,
	"raw_payload" jsonb,
	"scraped_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scrape_parts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"scrape_job_id" bigint NOT NULL,
	"source_type" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"found" integer DEFAULT 0 NOT NULL,
	"processed" integer DEFAULT 0 NOT NULL,
	"duplicates" integer DEFAULT 0 NOT NULL,
	"error" text,
	"started_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"job_state" text DEFAULT 'waiting' NOT NULL,
	"job_run" integer DEFAULT 1 NOT NULL,
	"job_fence" integer DEFAULT 0 NOT NULL,
	"job_priority" integer DEFAULT 0 NOT NULL,
	"job_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"job_sweep_at" timestamp with time zone DEFAULT now() + interval '5 seconds' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "scrape_jobs" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
ALTER TABLE "scrape_jobs" ADD COLUMN "rerun_of" text;--> statement-breakpoint
ALTER TABLE "lead_finds" ADD CONSTRAINT "lead_finds_part_id_scrape_parts_id_fk" FOREIGN KEY ("part_id") REFERENCES "public"."scrape_parts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_finds" ADD CONSTRAINT "lead_finds_lead_id_raw_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."raw_leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raw_leads" ADD CONSTRAINT "raw_leads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scrape_parts" ADD CONSTRAINT "scrape_parts_scrape_job_id_scrape_jobs_id_fk" FOREIGN KEY ("scrape_job_id") REFERENCES "public"."scrape_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_finds_of_lead" ON "lead_finds" USING btree ("lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "raw_leads_identity" ON "raw_leads" USING btree ("user_id","content_hash");--> statement-breakpoint
CREATE INDEX "raw_leads_of_user" ON "raw_leads" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "scrape_parts_of_job" ON "scrape_parts" USING btree ("scrape_job_id","source_type");--> statement-breakpoint
CREATE INDEX "scrape_parts_waiting" ON "scrape_parts" USING btree ("job_sweep_at") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "scrape_jobs_idempotency" ON "scrape_jobs" USING btree ("user_id","idempotency_key");--> statement-breakpoint
INSERT INTO "scrape_parts" ("scrape_job_id", "source_type")
SELECT "id", unnest("source_types") FROM "scrape_jobs" WHERE "status" = 'queued';
