CREATE TABLE "metadata_entries" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"resource" text NOT NULL,
	"entry" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "metadata_entries_tenant_id_resource_entry_created_at_id_pk" PRIMARY KEY("tenant_id","resource","entry","created_at","id"),
	CONSTRAINT "metadata_entries_resource_known" CHECK ("metadata_entries"."resource" in ('payment_link', 'payment'))
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "client_reference_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "paid_by" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "client_reference_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "metadata_entries" ADD CONSTRAINT "metadata_entries_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "balance_activity_list_by_payout" ON "balance_activity" USING btree ("tenant_id","payout_id","created_at","id") WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX "payment_links_list_by_reference" ON "payment_links" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "payments_list_by_reference" ON "payments" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "payments_list_by_paid_by" ON "payments" USING btree ("tenant_id","paid_by","created_at","id") WHERE paid_by is not null;