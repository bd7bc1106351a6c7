ALTER TABLE "payment_links" ADD COLUMN "stock" jsonb;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "delivers" jsonb;