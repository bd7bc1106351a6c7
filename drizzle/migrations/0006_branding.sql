CREATE TABLE "logos" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "logos_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "logos_status_known" CHECK ("logos"."status" in ('uploading', 'stored', 'retired', 'removing', 'removed')),
	CONSTRAINT "logos_address_form" CHECK ("logos"."address" ~ '^[0-9a-f]{32}$'),
	CONSTRAINT "logos_removal" CHECK (("logos"."remove_at" is null) = ("logos"."status" in ('stored', 'removed')))
);
--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "branding" jsonb;--> statement-breakpoint
ALTER TABLE "logos" ADD CONSTRAINT "logos_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "logos_address" ON "logos" USING btree ("address");--> statement-breakpoint
CREATE UNIQUE INDEX "logos_one_stored" ON "logos" USING btree ("tenant_id") WHERE status = 'stored';--> statement-breakpoint
CREATE INDEX "logos_due" ON "logos" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_branding_form" CHECK ("tenants"."branding" is null or (char_length(coalesce("tenants"."branding"->>'brand_name', 'x')) between 1 and 120 and concat_ws(',', "tenants"."branding"->>'primary_color', "tenants"."branding"->>'button_text_color', "tenants"."branding"->>'background_color', "tenants"."branding"->>'accent_color') ~ '^(#[0-9a-f]{6}(,|$))*$' and coalesce("tenants"."branding"->'logo'->>'address', repeat('0', 32)) ~ '^[0-9a-f]{32}$') is true);