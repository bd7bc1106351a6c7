CREATE TABLE "payment_link_templates" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"settings" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_link_templates_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_link_templates_status_known" CHECK ("payment_link_templates"."status" in ('active', 'deleted')),
	CONSTRAINT "payment_link_templates_name_length" CHECK (char_length("payment_link_templates"."name") between 1 and 120)
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "template_id" uuid;--> statement-breakpoint
ALTER TABLE "payment_link_templates" ADD CONSTRAINT "payment_link_templates_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_link_templates_name" ON "payment_link_templates" USING btree ("tenant_id",lower("name")) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "payment_link_templates_list" ON "payment_link_templates" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_template" FOREIGN KEY ("tenant_id","template_id") REFERENCES "public"."payment_link_templates"("tenant_id","id") ON DELETE no action ON UPDATE no action;