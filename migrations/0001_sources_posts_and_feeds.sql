CREATE TABLE "feed_tokens" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "marks" (
	"user_id" bigint NOT NULL,
	"post_id" bigint NOT NULL,
	"read" boolean,
	"starred_at" timestamp with time zone,
	CONSTRAINT "marks_user_id_post_id_pk" PRIMARY KEY("user_id","post_id")
);
--> statement-breakpoint
CREATE TABLE "posts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"source_id" bigint NOT NULL,
	"external_id" text NOT NULL,
	"url" text,
	"title" text,
	"content" text,
	"safe_content" text DEFAULT '' NOT NULL,
	"author" jsonb NOT NULL,
	"media" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"metrics" jsonb,
	"published_at" timestamp with time zone NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"content_hash" text NOT NULL,
	"search" "tsvector",
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "fetch_states" (
	"id" bigint PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"active_followers" integer DEFAULT 0 NOT NULL,
	"demand_epoch" integer DEFAULT 0 NOT NULL,
	"next_fetch_at" timestamp with time zone,
	"interval_seconds" integer,
	"allows" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"not_before" timestamp with time zone,
	"last_fetch_at" timestamp with time zone,
	"last_success_at" timestamp with time zone,
	"last_error" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"failing" boolean DEFAULT false NOT NULL,
	"gone_at" timestamp with time zone,
	"validators" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"gaps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"job_state" text DEFAULT 'waiting' NOT NULL,
	"job_run" integer DEFAULT 1 NOT NULL,
	"job_fence" integer DEFAULT 0 NOT NULL,
	"job_priority" integer DEFAULT 0 NOT NULL,
	"job_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"job_sweep_at" timestamp with time zone DEFAULT now() + interval '5 seconds' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "follows" (
	"user_id" bigint NOT NULL,
	"source_id" bigint NOT NULL,
	"folder" text,
	"title" text,
	"read_up_to" bigint DEFAULT '0' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "follows_user_id_source_id_pk" PRIMARY KEY("user_id","source_id")
);
--> statement-breakpoint
CREATE TABLE "source_aliases" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"external_id" text NOT NULL,
	"source_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"external_id" text NOT NULL,
	"title" text,
	"site_url" text,
	"followers" integer DEFAULT 0 NOT NULL,
	"last_post_at" timestamp with time zone,
	"last_post_id" bigint,
	"revision" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "active" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_tokens" ADD CONSTRAINT "feed_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "marks" ADD CONSTRAINT "marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "marks" ADD CONSTRAINT "marks_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fetch_states" ADD CONSTRAINT "fetch_states_id_sources_id_fk" FOREIGN KEY ("id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_aliases" ADD CONSTRAINT "source_aliases_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_tokens_of_user" ON "feed_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "marks_of_post" ON "marks" USING btree ("post_id");--> statement-breakpoint
CREATE INDEX "marks_starred" ON "marks" USING btree ("user_id","starred_at");--> statement-breakpoint
CREATE UNIQUE INDEX "posts_identity" ON "posts" USING btree ("source_id",md5(external_id));--> statement-breakpoint
CREATE INDEX "posts_of_source" ON "posts" USING btree ("source_id","published_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE removed_at IS NULL;--> statement-breakpoint
CREATE INDEX "posts_search" ON "posts" USING gin ("search");--> statement-breakpoint
CREATE INDEX "fetch_states_waiting" ON "fetch_states" USING btree ("job_sweep_at") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE INDEX "fetch_states_due" ON "fetch_states" USING btree ("type","next_fetch_at") WHERE job_state <> 'waiting' AND next_fetch_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "follows_of_source" ON "follows" USING btree ("source_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "source_aliases_identity" ON "source_aliases" USING btree ("type",md5(external_id));--> statement-breakpoint
CREATE INDEX "source_aliases_of_source" ON "source_aliases" USING btree ("source_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sources_identity" ON "sources" USING btree ("type",md5(external_id));