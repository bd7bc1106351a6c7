ALTER TABLE "checkout_sessions" DROP CONSTRAINT "checkout_sessions_amount_positive";--> statement-breakpoint
ALTER TABLE "checkout_sessions" DROP CONSTRAINT "checkout_sessions_completed";--> statement-breakpoint
ALTER TABLE "buyer_details" ALTER COLUMN "payment_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "discount_uses" ALTER COLUMN "attempt_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "entitlements" ALTER COLUMN "payment_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "receipt_ref" text;--> statement-breakpoint
ALTER TABLE "entitlements" ADD COLUMN "checkout_session_id" uuid;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_session" FOREIGN KEY ("tenant_id","checkout_session_id") REFERENCES "public"."checkout_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_sessions_receipt_ref" ON "checkout_sessions" USING btree ("receipt_ref") WHERE receipt_ref is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "discount_uses_without_payment" ON "discount_uses" USING btree ("tenant_id","session_id","discount_id") WHERE attempt_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX "entitlements_of_session" ON "entitlements" USING btree ("tenant_id","checkout_session_id","item_id","number") WHERE checkout_session_id is not null;--> statement-breakpoint
CREATE INDEX "entitlements_list_by_session" ON "entitlements" USING btree ("tenant_id","checkout_session_id","created_at","id") WHERE checkout_session_id is not null;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_amount_not_negative" CHECK ("checkout_sessions"."amount_minor" >= 0);--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_receipt_ref_form" CHECK ("checkout_sessions"."receipt_ref" ~ '^spcs_[a-z0-9]{32}$');--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_completed" CHECK (("checkout_sessions"."status" = 'complete') = ("checkout_sessions"."completed_at" is not null)
          and ("checkout_sessions"."payment_id" is not null) = ("checkout_sessions"."status" = 'complete' and "checkout_sessions"."amount_minor" > 0)
          and ("checkout_sessions"."receipt_ref" is not null) = ("checkout_sessions"."status" = 'complete' and "checkout_sessions"."amount_minor" = 0));--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_without_attempt" CHECK ("discount_uses"."attempt_id" is not null or "discount_uses"."status" = 'committed');--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_granted_once" CHECK (num_nonnulls("entitlements"."payment_id", "entitlements"."checkout_session_id") = 1);