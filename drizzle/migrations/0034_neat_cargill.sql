ALTER TABLE "checkout_sessions" ADD COLUMN "shipping_options" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "shipping_at" integer;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "shipping_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_shipping" CHECK ("checkout_sessions"."shipping_minor" between 0 and "checkout_sessions"."amount_minor" - "checkout_sessions"."tip_minor"
          and (case when "checkout_sessions"."shipping_options" = '[]' then "checkout_sessions"."shipping_at" is null and "checkout_sessions"."shipping_minor" = 0
            else "checkout_sessions"."shipping_minor" = ("checkout_sessions"."shipping_options"->"checkout_sessions"."shipping_at"->>'amount')::bigint end) is true);