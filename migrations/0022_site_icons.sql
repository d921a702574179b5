CREATE TABLE "site_icons" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"site" text NOT NULL,
	"origin" text NOT NULL,
	"token" text NOT NULL,
	"bytes" "bytea",
	"mime" text,
	"version" text,
	"ask_at" timestamp with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"job_state" text DEFAULT 'waiting' NOT NULL,
	"job_run" integer DEFAULT 1 NOT NULL,
	"job_fence" integer DEFAULT 0 NOT NULL,
	"job_priority" integer DEFAULT 0 NOT NULL,
	"job_run_at" timestamp with time zone DEFAULT now() NOT NULL,
	"job_cause" text,
	"job_owner" text,
	"job_sweep_at" timestamp with time zone DEFAULT now() + interval '5 seconds' NOT NULL,
	CONSTRAINT "site_icons_site_unique" UNIQUE("site"),
	CONSTRAINT "site_icons_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "icon_site" text;--> statement-breakpoint
CREATE INDEX "site_icons_waiting" ON "site_icons" USING btree ("job_sweep_at") WHERE job_state = 'waiting';--> statement-breakpoint
CREATE INDEX "site_icons_due" ON "site_icons" USING btree ("ask_at") WHERE job_state <> 'waiting';--> statement-breakpoint
CREATE INDEX "sources_without_icon_site" ON "sources" USING btree ("id") WHERE icon_site IS NULL AND followers > 0;--> statement-breakpoint
CREATE INDEX "sources_of_icon_site" ON "sources" USING btree ("icon_site") WHERE icon_site <> '';