CREATE TABLE "lost_followers" (
	"source_id" bigint PRIMARY KEY NOT NULL,
	"followers" integer NOT NULL,
	"with_max_delay" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "read_ranges" (
	"user_id" bigint NOT NULL,
	"source_id" bigint NOT NULL,
	"ids" "int8multirange" NOT NULL,
	CONSTRAINT "read_ranges_user_id_source_id_pk" PRIMARY KEY("user_id","source_id")
);
--> statement-breakpoint
ALTER TABLE "read_ranges" ADD CONSTRAINT "read_ranges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_ranges" ADD CONSTRAINT "read_ranges_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "marks_unread" ON "marks" USING btree ("user_id","post_id") WHERE read = false;--> statement-breakpoint
-- Only reads existing tables, so that processes of the previous version continue meanwhile. Marks that they set later are
-- not summarised, which costs time and changes no answer.
INSERT INTO "read_ranges" ("user_id", "source_id", "ids")
SELECT "marks"."user_id", "placed"."source_id", range_agg(int8range("placed"."previous" + 1, "placed"."id", '[]'))
FROM (
  SELECT "id", "source_id", coalesce(lag("id") OVER (PARTITION BY "source_id" ORDER BY "id"), 0) AS "previous"
  FROM "posts"
  WHERE "removed_at" IS NULL
    AND "source_id" IN (SELECT "source_id" FROM "posts" JOIN "marks" ON "post_id" = "posts"."id" AND "read")
) AS "placed"
JOIN "marks" ON "marks"."post_id" = "placed"."id" AND "marks"."read"
GROUP BY "marks"."user_id", "placed"."source_id";--> statement-breakpoint
-- For the planner: sources are grouped by what follows from this column, and there are few such groups. From the many
-- different values it concludes that there are as many groups as sources, and sorts all of them.
ALTER TABLE "fetch_states" ALTER COLUMN "posts_per_day" SET (n_distinct = 100);
