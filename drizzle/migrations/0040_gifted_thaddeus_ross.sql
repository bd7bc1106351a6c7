ALTER TABLE "payment_links" ADD COLUMN "collects" jsonb;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "asks_version" integer DEFAULT 1 NOT NULL;