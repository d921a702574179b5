CREATE TABLE "accounts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"platform" text NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"last_error" text,
	"credentials" text NOT NULL,
	"platform_id" text,
	"platform_name" text,
	"checked_at" timestamp with time zone,
	"closed_until" timestamp with time zone,
	"closed_because" text,
	"slots" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "platform_slots" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"platform" text NOT NULL,
	"user_id" bigint NOT NULL,
	"publication_id" bigint NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "publication_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"publication_id" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"from" text,
	"to" text NOT NULL,
	"reason" text NOT NULL,
	"is_failed_try" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "publications" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"platform" text NOT NULL,
	"group_id" text,
	"idempotency_key" text,
	"request_hash" text,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"status" text DEFAULT 'scheduled' NOT NULL,
	"priority" smallint DEFAULT 1 NOT NULL,
	"scheduled_at" timestamp with time zone NOT NULL,
	"local_time" text,
	"timezone" text,
	"slot_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"key" text DEFAULT replace(gen_random_uuid()::text, '-', '') NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"intended_at" timestamp with time zone,
	"first_tried_at" timestamp with time zone,
	"progress" jsonb,
	"not_before" timestamp with time zone,
	"waiting_for" text,
	"last_error" text,
	"platform_post_id" text,
	"platform_url" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_at" timestamp with time zone,
	"job_state" text DEFAULT 'waiting' NOT NULL,
	"job_run" integer DEFAULT 1 NOT NULL,
	"job_fence" integer DEFAULT 0 NOT NULL,
	"job_priority" integer DEFAULT 0 NOT NULL,
	"job_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"job_sweep_at" timestamp with time zone DEFAULT now() + interval '5 seconds' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publication_changes" ADD CONSTRAINT "publication_changes_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_of_user" ON "accounts" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "platform_slots_taken" ON "platform_slots" USING btree ("platform","ended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "platform_slots_open" ON "platform_slots" USING btree ("publication_id") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "publication_changes_of" ON "publication_changes" USING btree ("publication_id","id");--> statement-breakpoint
CREATE INDEX "publications_of_user" ON "publications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "publications_of_account" ON "publications" USING btree ("account_id","scheduled_at");--> statement-breakpoint
CREATE INDEX "publications_due" ON "publications" USING btree ("platform","scheduled_at") WHERE status IN ('scheduled', 'publishing') AND job_state <> 'waiting';--> statement-breakpoint
CREATE INDEX "publications_scheduled" ON "publications" USING btree ("scheduled_at") WHERE status = 'scheduled';--> statement-breakpoint
CREATE INDEX "publications_expiring" ON "publications" USING btree ("expires_at") WHERE status = 'scheduled';--> statement-breakpoint
CREATE INDEX "publications_held_up" ON "publications" USING btree ("not_before") WHERE status IN ('scheduled', 'publishing') AND not_before IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "publications_slot" ON "publications" USING btree ("account_id","slot_at") WHERE slot_at IS NOT NULL AND status NOT IN ('cancelled', 'expired', 'failed');--> statement-breakpoint
CREATE UNIQUE INDEX "publications_twins" ON "publications" USING btree ("account_id",md5(content::text)) WHERE status = 'publishing';--> statement-breakpoint
CREATE INDEX "publications_idempotency" ON "publications" USING btree ("user_id","idempotency_key") WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX "publications_waiting" ON "publications" USING btree ("job_sweep_at") WHERE job_state = 'waiting';