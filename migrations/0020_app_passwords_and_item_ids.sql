CREATE TABLE "app_passwords" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"user_name" text NOT NULL,
	"hash" text NOT NULL,
	"fever_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "app_passwords_hash_unique" UNIQUE("hash"),
	CONSTRAINT "app_passwords_feverHash_unique" UNIQUE("fever_hash")
);
--> statement-breakpoint
CREATE TABLE "backfills" (
	"user_id" bigint NOT NULL,
	"source_id" bigint NOT NULL,
	"item_ids" bigint[] NOT NULL,
	"post_ids" bigint[] NOT NULL,
	"first_item_id" bigint NOT NULL,
	"last_item_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "backfills_user_id_source_id_pk" PRIMARY KEY("user_id","source_id")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "user_name" text;--> statement-breakpoint
ALTER TABLE "app_passwords" ADD CONSTRAINT "app_passwords_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backfills" ADD CONSTRAINT "backfills_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backfills" ADD CONSTRAINT "backfills_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "app_passwords_of_user" ON "app_passwords" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "backfills_of_user" ON "backfills" USING btree ("user_id","last_item_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_user_name" ON "users" USING btree (lower(user_name));--> statement-breakpoint
CREATE INDEX "posts_by_id" ON "posts" USING btree ("source_id","id","found_at") WHERE removed_at IS NULL;--> statement-breakpoint
-- Ids of posts are assigned before they are committed. Each transaction that assigns some holds a lock until its effect
-- is visible, whose key says which ids it cannot have: those up to the last one assigned before (src/posts/reading/safe-horizon.ts).
-- It is a trigger, so that processes of the previous version take the lock as well. A transaction with many inserts takes
-- one lock.
CREATE FUNCTION announce_post_ids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('millrace.announced_post_ids', true), '') = '' THEN
    PERFORM pg_advisory_xact_lock_shared((7246316::bigint << 40) + CASE WHEN is_called THEN last_value ELSE 0 END)
      FROM posts_id_seq;
    PERFORM set_config('millrace.announced_post_ids', 'yes', true);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER announce_post_ids BEFORE INSERT ON "posts" FOR EACH STATEMENT EXECUTE FUNCTION announce_post_ids();--> statement-breakpoint
CREATE TRIGGER announce_post_ids BEFORE INSERT ON "backfills" FOR EACH STATEMENT EXECUTE FUNCTION announce_post_ids();
