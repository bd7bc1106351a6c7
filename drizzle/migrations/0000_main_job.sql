CREATE TABLE "api_keys" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"kid" text NOT NULL,
	"digest" text NOT NULL,
	"pepper_version" integer NOT NULL,
	"obfuscated_value" text NOT NULL,
	"description" text NOT NULL,
	"environment" text NOT NULL,
	"scopes" text[] NOT NULL,
	"status" text NOT NULL,
	"expires_at" timestamp with time zone,
	"grace_ends_at" timestamp with time zone,
	"rotated_from_id" uuid,
	"created_by_user_id" text NOT NULL,
	"created_by_email" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "api_keys_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "api_keys_one_successor" UNIQUE("tenant_id","rotated_from_id"),
	CONSTRAINT "api_keys_environment_known" CHECK ("api_keys"."environment" in ('sandbox', 'live')),
	CONSTRAINT "api_keys_status_known" CHECK ("api_keys"."status" in ('provisioning', 'active', 'failed', 'rotating', 'revoking', 'revoked')),
	CONSTRAINT "api_keys_description_length" CHECK (char_length("api_keys"."description") between 1 and 120),
	CONSTRAINT "api_keys_scopes_count" CHECK (cardinality("api_keys"."scopes") between 1 and 64),
	CONSTRAINT "api_keys_grace_only_after_rotation" CHECK (("api_keys"."status" <> 'rotating') or "api_keys"."grace_ends_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "door_lifecycle_moves" (
	"table_name" text NOT NULL,
	"from_status" text NOT NULL,
	"to_status" text NOT NULL,
	CONSTRAINT "door_lifecycle_moves_table_name_from_status_to_status_pk" PRIMARY KEY("table_name","from_status","to_status")
);
--> statement-breakpoint
CREATE TABLE "door_operations" (
	"id" text PRIMARY KEY NOT NULL,
	"credentials" text[] NOT NULL,
	"scopes" text[] NOT NULL,
	"role" text,
	"step_up_action" text,
	"tables" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "door_settings" (
	"environment" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_claims" (
	"tenant_id" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"publish_id" uuid NOT NULL,
	"reply_status" integer NOT NULL,
	"reply_body" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_claims_tenant_id_operation_key_pk" PRIMARY KEY("tenant_id","operation","key"),
	CONSTRAINT "idempotency_claims_key_length" CHECK (char_length("idempotency_claims"."key") between 8 and 255)
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"operation" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"resource_id" text,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "audit_events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"resource_type" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"object" jsonb NOT NULL,
	"previous_attributes" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "events_resource_sequence" UNIQUE("tenant_id","resource_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"tenant_id" text NOT NULL,
	"currency" text NOT NULL,
	"code" text NOT NULL,
	"balance_minor" bigint NOT NULL,
	CONSTRAINT "ledger_accounts_tenant_id_currency_code_pk" PRIMARY KEY("tenant_id","currency","code"),
	CONSTRAINT "ledger_accounts_currency_form" CHECK ("ledger_accounts"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "ledger_accounts_code_known" CHECK ("ledger_accounts"."code" in ('processor_clearing', 'merchant_pending', 'merchant_available', 'fee_expense', 'iva_on_fees')),
	CONSTRAINT "ledger_accounts_pending_not_negative" CHECK ("ledger_accounts"."code" <> 'merchant_pending' or "ledger_accounts"."balance_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_journals" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source_type" text NOT NULL,
	"source_id" uuid NOT NULL,
	"entry_kind" text NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_journals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "ledger_journals_once" UNIQUE("tenant_id","source_type","source_id","entry_kind")
);
--> statement-breakpoint
CREATE TABLE "ledger_postings" (
	"tenant_id" text NOT NULL,
	"journal_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"currency" text NOT NULL,
	"account_code" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	CONSTRAINT "ledger_postings_tenant_id_journal_id_line_pk" PRIMARY KEY("tenant_id","journal_id","line"),
	CONSTRAINT "ledger_postings_not_zero" CHECK ("ledger_postings"."amount_minor" <> 0)
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"usage" text NOT NULL,
	"amount_source" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"catalog_line_item_snapshot" jsonb,
	"description" text,
	"payment_method_types" text[] NOT NULL,
	"installment_months" integer[] NOT NULL,
	"installment_plan_months" integer,
	"fee_allocation" text NOT NULL,
	"merchant_markup_bps" integer NOT NULL,
	"metadata" jsonb NOT NULL,
	"checkout_session_ref" text,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"terms_version" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_links_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_links_public_id_form" CHECK ("payment_links"."public_id" ~ '^splink_[a-z0-9]{32}$'),
	CONSTRAINT "payment_links_status_known" CHECK ("payment_links"."status" in ('active', 'inactive', 'archived', 'paid')),
	CONSTRAINT "payment_links_usage_known" CHECK ("payment_links"."usage" in ('single_use', 'multi_use')),
	CONSTRAINT "payment_links_paid_is_single_use" CHECK ("payment_links"."status" <> 'paid' or "payment_links"."usage" = 'single_use'),
	CONSTRAINT "payment_links_amount_positive" CHECK ("payment_links"."amount_minor" > 0),
	CONSTRAINT "payment_links_currency_form" CHECK ("payment_links"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "payment_links_amount_source" CHECK (("payment_links"."amount_source" = 'manual_amount' and "payment_links"."catalog_line_item_snapshot" is null)
       or ("payment_links"."amount_source" = 'catalog_line_item' and "payment_links"."catalog_line_item_snapshot" is not null)),
	CONSTRAINT "payment_links_methods_some" CHECK (cardinality("payment_links"."payment_method_types") >= 1),
	CONSTRAINT "payment_links_cash_in_mxn" CHECK ("payment_links"."currency" = 'mxn' or not ("payment_links"."payment_method_types" && array['oxxo', 'spei'])),
	CONSTRAINT "payment_links_absorb_no_markup" CHECK ("payment_links"."fee_allocation" <> 'absorb' or "payment_links"."merchant_markup_bps" = 0),
	CONSTRAINT "payment_links_markup_bounds" CHECK ("payment_links"."merchant_markup_bps" between 0 and 10000),
	CONSTRAINT "payment_links_revoked_stays" CHECK ("payment_links"."revoked_at" is null or "payment_links"."status" in ('inactive', 'archived'))
);
--> statement-breakpoint
CREATE TABLE "payment_attempts" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"status" text NOT NULL,
	"processor" text NOT NULL,
	"processor_ref" text,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"installment_months" integer NOT NULL,
	"method_details" jsonb,
	"next_action" jsonb,
	"decline_code" text,
	"decline_category" text,
	"three_ds" jsonb,
	"next_check_at" timestamp with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_attempts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_attempts_status_known" CHECK ("payment_attempts"."status" in ('created', 'submitting', 'pending_customer', 'authorized', 'captured', 'declined', 'canceled',
        'expired', 'unknown', 'integrity_failure')),
	CONSTRAINT "payment_attempts_amount_positive" CHECK ("payment_attempts"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"amount_authorized_minor" bigint NOT NULL,
	"amount_captured_minor" bigint NOT NULL,
	"amount_refunded_minor" bigint NOT NULL,
	"amount_disputed_minor" bigint NOT NULL,
	"tip_amount_minor" bigint NOT NULL,
	"method" text NOT NULL,
	"method_details" jsonb,
	"installment_months" integer NOT NULL,
	"markup_minor" bigint NOT NULL,
	"fee_schedule_version" text NOT NULL,
	"fee_processing_minor" bigint NOT NULL,
	"fee_installments_minor" bigint NOT NULL,
	"fee_iva_minor" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	"available_on" date,
	"funds_status" text NOT NULL,
	"origin_surface" text NOT NULL,
	"origin_id" uuid NOT NULL,
	"exclusive" boolean NOT NULL,
	"customer_id" uuid,
	"description" text,
	"decline_code" text,
	"succeeded_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payments_public_id_form" CHECK ("payments"."public_id" ~ '^spcs_[a-z0-9]{32}$'),
	CONSTRAINT "payments_status_known" CHECK ("payments"."status" in ('requires_payment_method', 'requires_action', 'processing', 'requires_capture', 'succeeded',
        'failed', 'canceled', 'expired', 'partially_captured')),
	CONSTRAINT "payments_amount_positive" CHECK ("payments"."amount_minor" > 0),
	CONSTRAINT "payments_amounts_ordered" CHECK (0 <= "payments"."amount_refunded_minor" and 0 <= "payments"."amount_disputed_minor"
        and "payments"."amount_refunded_minor" + "payments"."amount_disputed_minor" <= "payments"."amount_captured_minor"
        and "payments"."amount_captured_minor" <= "payments"."amount_authorized_minor" and "payments"."amount_authorized_minor" <= "payments"."amount_minor"),
	CONSTRAINT "payments_succeeded_is_captured" CHECK ("payments"."status" <> 'succeeded' or "payments"."amount_captured_minor" > 0),
	CONSTRAINT "payments_funds_status_known" CHECK ("payments"."funds_status" in ('none', 'pending', 'available')),
	CONSTRAINT "payments_method_known" CHECK ("payments"."method" in ('card'))
);
--> statement-breakpoint
CREATE TABLE "step_up_challenges" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"environment" text NOT NULL,
	"action" text NOT NULL,
	"scope" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"params_hash" text NOT NULL,
	"status" text NOT NULL,
	"method" text,
	"passkey_challenge" text NOT NULL,
	"token_digest" text,
	"challenge_expires_at" timestamp with time zone NOT NULL,
	"token_expires_at" timestamp with time zone,
	"consumed_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "step_up_challenges_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "step_up_challenges_status_known" CHECK ("step_up_challenges"."status" in ('pending', 'verified', 'consumed', 'expired', 'failed')),
	CONSTRAINT "step_up_challenges_params_hash_form" CHECK ("step_up_challenges"."params_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "step_up_challenges_token_when_verified" CHECK (("step_up_challenges"."status" in ('verified', 'consumed')) = ("step_up_challenges"."token_digest" is not null)),
	CONSTRAINT "step_up_challenges_consumed_once" CHECK (("step_up_challenges"."status" = 'consumed') = ("step_up_challenges"."consumed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"tenant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"status" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "memberships_tenant_id_user_id_pk" PRIMARY KEY("tenant_id","user_id"),
	CONSTRAINT "memberships_role_known" CHECK ("memberships"."role" in ('owner', 'admin', 'member')),
	CONSTRAINT "memberships_status_known" CHECK ("memberships"."status" in ('active', 'removed'))
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tenants_id_form" CHECK ("tenants"."tenant_id" ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$'),
	CONSTRAINT "tenants_status_known" CHECK ("tenants"."status" in ('active', 'suspended', 'closed')),
	CONSTRAINT "tenants_name_length" CHECK (char_length("tenants"."name") between 1 and 120)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_from" FOREIGN KEY ("tenant_id","rotated_from_id") REFERENCES "public"."api_keys"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_journals" ADD CONSTRAINT "ledger_journals_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_journal" FOREIGN KEY ("tenant_id","journal_id") REFERENCES "public"."ledger_journals"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_account" FOREIGN KEY ("tenant_id","currency","account_code") REFERENCES "public"."ledger_accounts"("tenant_id","currency","code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_up_challenges" ADD CONSTRAINT "step_up_challenges_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_kid" ON "api_keys" USING btree ("kid");--> statement-breakpoint
CREATE INDEX "api_keys_list" ON "api_keys" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_due" ON "api_keys" USING btree ("updated_at") WHERE status in ('provisioning', 'rotating', 'revoking') or (status = 'active' and expires_at is not null);--> statement-breakpoint
CREATE INDEX "idempotency_claims_due" ON "idempotency_claims" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_events_list" ON "audit_events" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_list" ON "events" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_links_public_id" ON "payment_links" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "payment_links_list" ON "payment_links" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_list_by_status" ON "payment_links" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_due" ON "payment_links" USING btree ("expires_at") WHERE status = 'active' and expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_number" ON "payment_attempts" USING btree ("tenant_id","payment_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_live" ON "payment_attempts" USING btree ("tenant_id","payment_id") WHERE status in ('submitting', 'pending_customer', 'unknown', 'authorized', 'captured');--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_reference" ON "payment_attempts" USING btree ("id");--> statement-breakpoint
CREATE INDEX "payment_attempts_due" ON "payment_attempts" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_public_id" ON "payments" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_live_per_exclusive_origin" ON "payments" USING btree ("tenant_id","origin_surface","origin_id") WHERE exclusive and status in ('processing', 'requires_action', 'requires_capture', 'succeeded', 'partially_captured');--> statement-breakpoint
CREATE INDEX "payments_list" ON "payments" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_list_by_status" ON "payments" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_list_by_origin" ON "payments" USING btree ("tenant_id","origin_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_due_funds" ON "payments" USING btree ("available_on") WHERE funds_status = 'pending';--> statement-breakpoint
CREATE INDEX "payments_due_expiry" ON "payments" USING btree ("expires_at") WHERE status = 'requires_payment_method';--> statement-breakpoint
CREATE UNIQUE INDEX "step_up_challenges_token" ON "step_up_challenges" USING btree ("token_digest");--> statement-breakpoint
CREATE UNIQUE INDEX "step_up_challenges_id" ON "step_up_challenges" USING btree ("id");--> statement-breakpoint
CREATE INDEX "step_up_challenges_due" ON "step_up_challenges" USING btree ("challenge_expires_at") WHERE status in ('pending', 'verified');--> statement-breakpoint
CREATE INDEX "memberships_by_user" ON "memberships" USING btree ("user_id");