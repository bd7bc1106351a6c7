ALTER TABLE "payment_links" ADD COLUMN "buyer_amount" jsonb;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "quantity_min" integer;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "quantity_max" integer;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "success_url" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "success_message" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "payer_email_domains" text[];--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "quantity" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_buyer_amount" CHECK ("payment_links"."buyer_amount" is null or ("payment_links"."amount_source" = 'manual_amount' and "payment_links"."quantity_max" is null
        and ("payment_links"."buyer_amount"->>'min')::bigint = "payment_links"."amount_minor"
        and ("payment_links"."buyer_amount"->>'max')::bigint between "payment_links"."amount_minor" and 999999999999));--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_quantity" CHECK (("payment_links"."quantity_min" is null and "payment_links"."quantity_max" is null)
        or ("payment_links"."quantity_min" between 1 and "payment_links"."quantity_max" and "payment_links"."quantity_max" <= 10000
        and "payment_links"."amount_minor" * "payment_links"."quantity_max" <= 999999999999));--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_success_message" CHECK (length("payment_links"."success_message") <= 1000);--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_payer_email_domains" CHECK ("payment_links"."payer_email_domains" is null or cardinality("payment_links"."payer_email_domains") between 1 and 20);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_quantity_positive" CHECK ("payments"."quantity" > 0);