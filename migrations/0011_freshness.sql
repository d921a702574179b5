CREATE TABLE "feed_digests" (
	"id" bigint PRIMARY KEY NOT NULL,
	"items" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "freshness_hours" (
	"hour" timestamp with time zone PRIMARY KEY NOT NULL,
	"fetches" integer NOT NULL,
	"scheduled" integer NOT NULL,
	"empty" integer NOT NULL,
	"saved" integer NOT NULL,
	"delays" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_budget" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"price" double precision NOT NULL,
	"correction" double precision NOT NULL,
	"balance" double precision NOT NULL,
	"budget_per_hour" double precision NOT NULL,
	"fetches" double precision NOT NULL,
	"looked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "websub_subscriptions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"source_id" bigint,
	"hub_urls" text[] NOT NULL,
	"hub_url" text NOT NULL,
	"topic_url" text NOT NULL,
	"token" text NOT NULL,
	"secret" text NOT NULL,
	"state" text NOT NULL,
	"begun_at" timestamp with time zone NOT NULL,
	"verified_at" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"last_push_at" timestamp with time zone,
	"last_error" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"missed_at" timestamp with time zone,
	"first_since" integer DEFAULT 0 NOT NULL,
	"ask_at" timestamp with time zone,
	"asked_at" timestamp with time zone,
	"pinged_at" timestamp with time zone,
	"ping_taken_at" timestamp with time zone,
	"job_state" text DEFAULT 'waiting' NOT NULL,
	"job_run" integer DEFAULT 1 NOT NULL,
	"job_fence" integer DEFAULT 0 NOT NULL,
	"job_priority" integer DEFAULT 0 NOT NULL,
	"job_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"job_sweep_at" timestamp with time zone DEFAULT now() + interval '5 seconds' NOT NULL,
	CONSTRAINT "websub_subscriptions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "host_limits" (
	"host" text PRIMARY KEY NOT NULL,
	"per_minute" integer NOT NULL,
	"origin" text NOT NULL,
	"because" text NOT NULL,
	"learned_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"return_at" timestamp with time zone DEFAULT now() NOT NULL,
	"writes_at" timestamp with time zone,
	"counted_in" timestamp with time zone DEFAULT now() NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"used_before" integer DEFAULT 0 NOT NULL,
	"others" integer DEFAULT 0 NOT NULL,
	"others_before" integer DEFAULT 0 NOT NULL,
	"price" double precision
);
--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "wish_seconds" integer;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "rhythm" "bytea";--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "rhythm_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "posts_per_day" real;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "fetches" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "host" text;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "has_hub" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD COLUMN "pushed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "follows" ADD COLUMN "max_delay_minutes" integer;--> statement-breakpoint
ALTER TABLE "feed_digests" ADD CONSTRAINT "feed_digests_id_sources_id_fk" FOREIGN KEY ("id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websub_subscriptions" ADD CONSTRAINT "websub_subscriptions_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "websub_subscriptions_waiting" ON "websub_subscriptions" USING btree ("job_sweep_at") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "websub_subscriptions_source" ON "websub_subscriptions" USING btree ("source_id") WHERE state <> 'ending';--> statement-breakpoint
CREATE INDEX "websub_subscriptions_due" ON "websub_subscriptions" USING btree ("ask_at") WHERE job_state <> 'waiting' AND ask_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "websub_subscriptions_leases" ON "websub_subscriptions" USING btree ("lease_until") WHERE lease_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX "websub_subscriptions_pings" ON "websub_subscriptions" USING btree ("id") WHERE pinged_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "follows_with_wish" ON "follows" USING btree ("source_id","user_id","max_delay_minutes") WHERE max_delay_minutes IS NOT NULL;--> statement-breakpoint
-- Every fetch writes its row three times: with room beside them new versions need no entries in indices that have not changed.
ALTER TABLE "fetch_states" SET (fillfactor = 70);