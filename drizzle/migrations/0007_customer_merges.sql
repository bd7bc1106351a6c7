CREATE TABLE "customer_merges" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"survivor_id" uuid NOT NULL,
	"status" text NOT NULL,
	"undoable_until" timestamp (3) with time zone NOT NULL,
	"moved" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_merges_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_merges_status_known" CHECK ("customer_merges"."status" in ('merged', 'undone')),
	CONSTRAINT "customer_merges_not_into_itself" CHECK ("customer_merges"."survivor_id" <> "customer_merges"."customer_id")
);
--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "own_fields" jsonb;--> statement-breakpoint
ALTER TABLE "customer_merges" ADD CONSTRAINT "customer_merges_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_merges" ADD CONSTRAINT "customer_merges_survivor" FOREIGN KEY ("tenant_id","survivor_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "customer_merges_one" ON "customer_merges" USING btree ("tenant_id","customer_id") WHERE status = 'merged';--> statement-breakpoint
CREATE INDEX "customer_merges_of_survivor" ON "customer_merges" USING btree ("tenant_id","survivor_id","created_at","id");