CREATE TABLE "failed_items" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"import_id" bigint NOT NULL,
	"batch_id" bigint NOT NULL,
	"external_id" text,
	"place" integer NOT NULL,
	"item" jsonb NOT NULL,
	"reason" text NOT NULL,
	"post_id" bigint,
	"failed_at" timestamp with time zone NOT NULL,
	"job_state" text DEFAULT 'waiting' NOT NULL,
	"job_run" integer DEFAULT 1 NOT NULL,
	"job_fence" integer DEFAULT 0 NOT NULL,
	"job_priority" integer DEFAULT 0 NOT NULL,
	"job_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"job_sweep_at" timestamp with time zone DEFAULT now() + interval '5 seconds' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_batches" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"import_id" bigint NOT NULL,
	"feed_id" bigint NOT NULL,
	"items" text,
	"found" integer NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"job_state" text DEFAULT 'waiting' NOT NULL,
	"job_run" integer DEFAULT 1 NOT NULL,
	"job_fence" integer DEFAULT 0 NOT NULL,
	"job_priority" integer DEFAULT 0 NOT NULL,
	"job_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"job_sweep_at" timestamp with time zone DEFAULT now() + interval '5 seconds' NOT NULL
);
--> statement-breakpoint
-- It is written once and read once: to compress it costs more than to store it.
ALTER TABLE "import_batches" ALTER COLUMN "items" SET STORAGE EXTERNAL;
--> statement-breakpoint
CREATE TABLE "import_feeds" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"import_id" bigint NOT NULL,
	"url" text NOT NULL,
	"type" text,
	"external_id" text,
	"source_id" bigint,
	"title" text,
	"folder" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"error" text,
	"cursor" text,
	"pages" text[] DEFAULT '{}' NOT NULL,
	"slot_at" timestamp with time zone,
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
CREATE TABLE "import_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_items" (
	"import_id" bigint NOT NULL,
	"post_id" bigint NOT NULL,
	"batch_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"fields" jsonb,
	"field_terms" text[],
	CONSTRAINT "import_items_import_id_post_id_pk" PRIMARY KEY("import_id","post_id")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"follow" boolean DEFAULT false NOT NULL,
	"full" boolean DEFAULT false NOT NULL,
	"fields" jsonb,
	"duplicate_feeds" integer DEFAULT 0 NOT NULL,
	"rerun_of" bigint,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "failed_items" ADD CONSTRAINT "failed_items_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "failed_items" ADD CONSTRAINT "failed_items_batch_id_import_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."import_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_batches" ADD CONSTRAINT "import_batches_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_batches" ADD CONSTRAINT "import_batches_feed_id_import_feeds_id_fk" FOREIGN KEY ("feed_id") REFERENCES "public"."import_feeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_feeds" ADD CONSTRAINT "import_feeds_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_items" ADD CONSTRAINT "import_items_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "failed_items_of_import" ON "failed_items" USING btree ("import_id","id");--> statement-breakpoint
CREATE INDEX "failed_items_of_batch" ON "failed_items" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "failed_items_waiting" ON "failed_items" USING btree ("job_sweep_at") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE INDEX "import_batches_of_import" ON "import_batches" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "import_batches_of_feed" ON "import_batches" USING btree ("feed_id");--> statement-breakpoint
CREATE INDEX "import_batches_open" ON "import_batches" USING btree ("feed_id") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE INDEX "import_batches_waiting" ON "import_batches" USING btree ("job_sweep_at") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE INDEX "import_feeds_of_import" ON "import_feeds" USING btree ("import_id","status","id");--> statement-breakpoint
CREATE INDEX "import_feeds_open" ON "import_feeds" USING btree ("import_id","id") WHERE status IN ('queued', 'fetching', 'storing');--> statement-breakpoint
CREATE INDEX "import_feeds_waiting" ON "import_feeds" USING btree ("job_sweep_at") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE INDEX "import_items_of_batch" ON "import_items" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "import_items_fields" ON "import_items" USING gin ("field_terms") WHERE field_terms IS NOT NULL;--> statement-breakpoint
CREATE INDEX "imports_of_user" ON "imports" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "imports_running" ON "imports" USING btree ("id") WHERE status = 'running';