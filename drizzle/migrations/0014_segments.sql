CREATE TABLE "segment_pins" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"segment_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"pinned" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "segment_pins_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "segment_pins_pinned_known" CHECK ("segment_pins"."pinned" in ('in', 'out', 'none'))
);
--> statement-breakpoint
CREATE TABLE "segments" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"rule" jsonb NOT NULL,
	"status" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "segments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "segments_status_known" CHECK ("segments"."status" in ('active', 'deleted'))
);
--> statement-breakpoint
ALTER TABLE "segment_pins" ADD CONSTRAINT "segment_pins_segment" FOREIGN KEY ("tenant_id","segment_id") REFERENCES "public"."segments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segment_pins" ADD CONSTRAINT "segment_pins_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segments" ADD CONSTRAINT "segments_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "segment_pins_one" ON "segment_pins" USING btree ("tenant_id","segment_id","customer_id");--> statement-breakpoint
CREATE INDEX "segments_list" ON "segments" USING btree ("tenant_id","status","created_at","id");