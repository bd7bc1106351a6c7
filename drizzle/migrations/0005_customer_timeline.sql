CREATE TABLE "customer_timeline" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"source" text NOT NULL,
	"event_key" text NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"resource_id" text NOT NULL,
	"summary" jsonb NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_timeline_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_timeline_event_key" UNIQUE("tenant_id","source","event_key")
);
--> statement-breakpoint
ALTER TABLE "customer_timeline" ADD CONSTRAINT "customer_timeline_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_timeline_list" ON "customer_timeline" USING btree ("tenant_id","customer_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "customer_timeline_list_by_kind" ON "customer_timeline" USING btree ("tenant_id","customer_id","kind","occurred_at","id");