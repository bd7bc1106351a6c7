ALTER TABLE "checkout_sessions" ADD COLUMN "catalog_public_id" text;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD COLUMN "payment_method_types" text[];--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD COLUMN "installment_months" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD COLUMN "location_id" uuid;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD COLUMN "listed_in_search" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD CONSTRAINT "digital_catalogs_of_tenant" UNIQUE("tenant_id","public_id");--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_catalog" FOREIGN KEY ("tenant_id","catalog_public_id") REFERENCES "public"."digital_catalogs"("tenant_id","public_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD CONSTRAINT "digital_catalogs_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "catalog_items_shown" ON "catalog_items" USING btree ("tenant_id","catalog_id","created_at","id") WHERE status = 'active' and variant_of is null;--> statement-breakpoint
CREATE INDEX "catalog_items_shown_by_category" ON "catalog_items" USING btree ("tenant_id","catalog_id","category_id","created_at","id") WHERE status = 'active' and variant_of is null;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD CONSTRAINT "digital_catalogs_methods_some" CHECK (cardinality("digital_catalogs"."payment_method_types") >= 1);--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD CONSTRAINT "digital_catalogs_cash_in_mxn" CHECK ("digital_catalogs"."currency" = 'mxn' or not ("digital_catalogs"."payment_method_types" && array['oxxo', 'spei']));--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD CONSTRAINT "digital_catalogs_installments_bounded" CHECK (cardinality("digital_catalogs"."installment_months") <= 12);