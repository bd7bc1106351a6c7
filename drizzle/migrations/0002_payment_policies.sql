CREATE TABLE "payment_policies" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_policies_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "payment_policy_versions" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"version" integer NOT NULL,
	"location_id" uuid,
	"settings" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"created_by_user_id" text,
	"created_by_email" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_policy_versions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_policy_versions_one" UNIQUE("tenant_id","version"),
	CONSTRAINT "payment_policy_versions_counted" CHECK ("payment_policy_versions"."version" >= 1),
	CONSTRAINT "payment_policy_versions_author" CHECK (("payment_policy_versions"."created_by_user_id" is null) = ("payment_policy_versions"."version" = 1)),
	CONSTRAINT "payment_policy_versions_settings_form" CHECK (jsonb_typeof("payment_policy_versions"."settings") = 'object')
);
--> statement-breakpoint
ALTER TABLE "payment_policies" ADD CONSTRAINT "payment_policies_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_policy_versions" ADD CONSTRAINT "payment_policy_versions_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_policy_versions" ADD CONSTRAINT "payment_policy_versions_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_policies_one" ON "payment_policies" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "payment_policy_versions_of_level" ON "payment_policy_versions" USING btree ("tenant_id","location_id","version");--> statement-breakpoint
CREATE INDEX "payment_policy_versions_list" ON "payment_policy_versions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
ALTER TABLE "tenants" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
INSERT INTO "payment_policies" ("tenant_id", "id", "version", "created_at", "updated_at")
SELECT "tenant_id", gen_random_uuid(), 1, "created_at", "created_at" FROM "tenants";--> statement-breakpoint
INSERT INTO "payment_policy_versions" ("tenant_id", "id", "version", "settings", "changes", "created_at")
SELECT "tenant_id", gen_random_uuid(), 1, '{}', '[]', "created_at" FROM "tenants";--> statement-breakpoint
ALTER TABLE "tenants" FORCE ROW LEVEL SECURITY;
