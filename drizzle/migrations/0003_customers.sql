CREATE TABLE "customer_consents" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"purpose" text NOT NULL,
	"status" text NOT NULL,
	"given_at" timestamp (3) with time zone NOT NULL,
	"method" text NOT NULL,
	"text_version" text NOT NULL,
	"ip" text,
	"withdrawn_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_consents_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_consents_channel_known" CHECK ("customer_consents"."channel" in ('email', 'sms', 'whatsapp', 'call')),
	CONSTRAINT "customer_consents_purpose_known" CHECK ("customer_consents"."purpose" in ('marketing', 'surveys', 'profiling')),
	CONSTRAINT "customer_consents_method_known" CHECK ("customer_consents"."method" in ('web_form', 'message', 'call', 'in_person', 'paper', 'import')),
	CONSTRAINT "customer_consents_status_known" CHECK ("customer_consents"."status" in ('given', 'withdrawn')),
	CONSTRAINT "customer_consents_withdrawn" CHECK (("customer_consents"."status" = 'withdrawn') = ("customer_consents"."withdrawn_at" is not null) and "customer_consents"."withdrawn_at" >= "customer_consents"."given_at" is not false)
);
--> statement-breakpoint
CREATE TABLE "customer_contacts" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"label" text,
	"status" text NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_contacts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_contacts_kind_known" CHECK ("customer_contacts"."kind" in ('email', 'phone')),
	CONSTRAINT "customer_contacts_status_known" CHECK ("customer_contacts"."status" in ('active', 'removed')),
	CONSTRAINT "customer_contacts_value_form" CHECK ("customer_contacts"."status" = 'removed' or case "customer_contacts"."kind" when 'phone' then "customer_contacts"."value" ~ '^\+[1-9][0-9]{6,14}$' else "customer_contacts"."value" ~ '^[^A-Z@ ]+@[^A-Z@ ]+$' end)
);
--> statement-breakpoint
CREATE TABLE "customer_notes" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"status" text NOT NULL,
	"text" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_notes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_notes_status_known" CHECK ("customer_notes"."status" in ('active', 'deleted')),
	CONSTRAINT "customer_notes_deleted" CHECK ("customer_notes"."status" = 'active' or "customer_notes"."text" = '')
);
--> statement-breakpoint
CREATE TABLE "customer_terms" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"term" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_terms_tenant_id_term_created_at_id_pk" PRIMARY KEY("tenant_id","term","created_at","id")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"name" text,
	"email" text,
	"phone" text,
	"locale" text,
	"addresses" jsonb NOT NULL,
	"tags" text[] NOT NULL,
	"tax_profile" jsonb,
	"external_id" text,
	"metadata" jsonb NOT NULL,
	"field_stamps" jsonb NOT NULL,
	"terms" text[] NOT NULL,
	"merged_into" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customers_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customers_status_known" CHECK ("customers"."status" in ('active', 'blocked', 'merged', 'erased')),
	CONSTRAINT "customers_merged_into" CHECK (("customers"."status" = 'merged') = ("customers"."merged_into" is not null)),
	CONSTRAINT "customers_not_into_itself" CHECK ("customers"."merged_into" <> "customers"."id")
);
--> statement-breakpoint
ALTER TABLE "metadata_entries" DROP CONSTRAINT "metadata_entries_resource_known";--> statement-breakpoint
ALTER TABLE "customer_consents" ADD CONSTRAINT "customer_consents_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_consents" ADD CONSTRAINT "customer_consents_contact" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."customer_contacts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_contacts" ADD CONSTRAINT "customer_contacts_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_terms" ADD CONSTRAINT "customer_terms_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_survivor" FOREIGN KEY ("tenant_id","merged_into") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "customer_consents_given" ON "customer_consents" USING btree ("tenant_id","contact_id","channel","purpose") WHERE status = 'given';--> statement-breakpoint
CREATE INDEX "customer_consents_list" ON "customer_consents" USING btree ("tenant_id","customer_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_contacts_own" ON "customer_contacts" USING btree ("tenant_id","customer_id","kind","value") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "customer_contacts_verified" ON "customer_contacts" USING btree ("tenant_id","kind","value") WHERE status = 'active' and verified_at is not null;--> statement-breakpoint
CREATE INDEX "customer_contacts_list" ON "customer_contacts" USING btree ("tenant_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "customer_notes_list" ON "customer_notes" USING btree ("tenant_id","customer_id","created_at","id") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "customers_external_id" ON "customers" USING btree ("tenant_id","external_id") WHERE external_id is not null and status in ('active', 'blocked');--> statement-breakpoint
CREATE INDEX "customers_list" ON "customers" USING btree ("tenant_id","created_at","id") WHERE status in ('active', 'blocked');--> statement-breakpoint
CREATE INDEX "customers_list_by_status" ON "customers" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "customers_merged" ON "customers" USING btree ("tenant_id","merged_into") WHERE merged_into is not null;--> statement-breakpoint
ALTER TABLE "metadata_entries" ADD CONSTRAINT "metadata_entries_resource_known" CHECK ("metadata_entries"."resource" in ('customer', 'payment_link', 'payment'));