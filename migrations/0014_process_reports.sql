ALTER TABLE "process_clocks" ADD COLUMN "is_memory_low" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "process_clocks" ADD COLUMN "heap_percent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "process_clocks" ADD COLUMN "max_stall_ms" integer DEFAULT 0 NOT NULL;