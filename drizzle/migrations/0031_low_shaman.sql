ALTER TABLE "checkout_sessions" ADD COLUMN "tip_options" jsonb;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "tip_bps" integer;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "tip_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_tip" CHECK ("checkout_sessions"."tip_minor" between 0 and "checkout_sessions"."amount_minor" and ("checkout_sessions"."tip_minor" = 0 or "checkout_sessions"."tip_options" is not null));