CREATE TABLE "host_paces" (
	"host" text PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"return_at" timestamp with time zone
);
