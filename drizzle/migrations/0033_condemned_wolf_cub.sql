CREATE TABLE "buyer_details" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"origin_id" uuid NOT NULL,
	"details" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "buyer_details_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "collects" jsonb;--> statement-breakpoint
ALTER TABLE "buyer_details" ADD CONSTRAINT "buyer_details_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyer_details" ADD CONSTRAINT "buyer_details_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "buyer_details_origin" ON "buyer_details" USING btree ("tenant_id","origin_id","created_at","id");--> statement-breakpoint
CREATE INDEX "buyer_details_payment" ON "buyer_details" USING btree ("tenant_id","payment_id");