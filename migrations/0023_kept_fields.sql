ALTER TABLE "fetch_states" ADD COLUMN "keeps_fields" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "import_feeds_of_source" ON "import_feeds" USING btree ("source_id");
--> statement-breakpoint
UPDATE "fetch_states" SET "keeps_fields" = true WHERE "id" IN (
  SELECT "import_feeds"."source_id" FROM "import_feeds" JOIN "imports" ON "imports"."id" = "import_feeds"."import_id"
  WHERE "imports"."follow" AND "imports"."fields" IS NOT NULL
);
