ALTER TABLE "disputes" ADD COLUMN "customer_id" uuid;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "customer_id" uuid;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_list_by_customer" ON "disputes" USING btree ("tenant_id","customer_id","created_at","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "refunds_list_by_customer" ON "refunds" USING btree ("tenant_id","customer_id","created_at","id") WHERE customer_id is not null;--> statement-breakpoint
ALTER TABLE "payments" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "refunds" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "disputes" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "refunds" r SET "customer_id" = p."customer_id" FROM "payments" p
WHERE p."tenant_id" = r."tenant_id" AND p."id" = r."payment_id" AND p."customer_id" IS NOT NULL;--> statement-breakpoint
UPDATE "disputes" d SET "customer_id" = p."customer_id" FROM "payments" p
WHERE p."tenant_id" = d."tenant_id" AND p."id" = d."payment_id" AND p."customer_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "refunds" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "disputes" FORCE ROW LEVEL SECURITY;
