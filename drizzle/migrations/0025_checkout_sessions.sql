CREATE TABLE "checkout_sessions" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"lines" jsonb NOT NULL,
	"stock" jsonb,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment_method_types" text[] NOT NULL,
	"capture_method" text NOT NULL,
	"installment_months" integer[] NOT NULL,
	"installment_plan_months" integer,
	"fee_allocation" text NOT NULL,
	"merchant_markup_bps" integer NOT NULL,
	"description" text,
	"success_url" text,
	"cancel_url" text,
	"metadata" jsonb NOT NULL,
	"client_reference_id" text,
	"customer_id" uuid,
	"payment_id" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"terms_version" integer NOT NULL,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"location_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checkout_sessions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "checkout_sessions_amount_positive" CHECK ("checkout_sessions"."amount_minor" > 0),
	CONSTRAINT "checkout_sessions_amount_bounded" CHECK ("checkout_sessions"."amount_minor" <= 999999999999),
	CONSTRAINT "checkout_sessions_currency_form" CHECK ("checkout_sessions"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "checkout_sessions_methods_some" CHECK (cardinality("checkout_sessions"."payment_method_types") >= 1),
	CONSTRAINT "checkout_sessions_cash_in_mxn" CHECK ("checkout_sessions"."currency" = 'mxn' or not ("checkout_sessions"."payment_method_types" && array['oxxo', 'spei'])),
	CONSTRAINT "checkout_sessions_capture_method" CHECK ("checkout_sessions"."capture_method" = 'automatic'
        or ("checkout_sessions"."capture_method" = 'manual' and "checkout_sessions"."payment_method_types" = array['card'])),
	CONSTRAINT "checkout_sessions_absorb_no_markup" CHECK ("checkout_sessions"."fee_allocation" <> 'absorb' or "checkout_sessions"."merchant_markup_bps" = 0),
	CONSTRAINT "checkout_sessions_markup_bounds" CHECK ("checkout_sessions"."merchant_markup_bps" between 0 and 10000),
	CONSTRAINT "checkout_sessions_public_id_form" CHECK ("checkout_sessions"."public_id" ~ '^spcs_[a-z0-9]{32}$'),
	CONSTRAINT "checkout_sessions_status_known" CHECK ("checkout_sessions"."status" in ('open', 'expired', 'complete')),
	CONSTRAINT "checkout_sessions_completed" CHECK (("checkout_sessions"."status" = 'complete') = ("checkout_sessions"."payment_id" is not null) and ("checkout_sessions"."status" = 'complete') = ("checkout_sessions"."completed_at" is not null)),
	CONSTRAINT "checkout_sessions_lines_bounded" CHECK (jsonb_array_length("checkout_sessions"."lines") <= 100)
);
--> statement-breakpoint
CREATE TABLE "checkout_settings" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"return_origins" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checkout_settings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "checkout_settings_return_origins_bounded" CHECK (cardinality("checkout_settings"."return_origins") <= 50)
);
--> statement-breakpoint
ALTER TABLE "metadata_entries" DROP CONSTRAINT "metadata_entries_resource_known";--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_policy_version" FOREIGN KEY ("tenant_id","policy_version") REFERENCES "public"."payment_policy_versions"("tenant_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_settings" ADD CONSTRAINT "checkout_settings_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_sessions_public_id" ON "checkout_sessions" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "checkout_sessions_list" ON "checkout_sessions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "checkout_sessions_list_by_status" ON "checkout_sessions" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "checkout_sessions_list_by_reference" ON "checkout_sessions" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "checkout_sessions_list_by_customer" ON "checkout_sessions" USING btree ("tenant_id","customer_id","created_at","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "checkout_sessions_due" ON "checkout_sessions" USING btree ("expires_at") WHERE status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_settings_one" ON "checkout_settings" USING btree ("tenant_id");--> statement-breakpoint
ALTER TABLE "metadata_entries" ADD CONSTRAINT "metadata_entries_resource_known" CHECK ("metadata_entries"."resource" in ('customer', 'digital_catalog', 'catalog_item', 'checkout_session', 'payment_link', 'payment'));