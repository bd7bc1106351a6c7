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
	"expires_at" timestamp (3) with time zone,
	"grace_ends_at" timestamp (3) with time zone,
	"rotated_from_id" uuid,
	"transfer_limits" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_by_user_id" text NOT NULL,
	"created_by_email" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_keys_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "api_keys_one_successor" UNIQUE("tenant_id","rotated_from_id"),
	CONSTRAINT "api_keys_environment_known" CHECK ("api_keys"."environment" in ('sandbox', 'live')),
	CONSTRAINT "api_keys_status_known" CHECK ("api_keys"."status" in ('provisioning', 'active', 'failed', 'rotating', 'revoking', 'revoked')),
	CONSTRAINT "api_keys_description_length" CHECK (char_length("api_keys"."description") between 1 and 120),
	CONSTRAINT "api_keys_scopes_count" CHECK (cardinality("api_keys"."scopes") between 1 and 64),
	CONSTRAINT "api_keys_grace_only_after_rotation" CHECK (("api_keys"."status" <> 'rotating') or "api_keys"."grace_ends_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "audit_event_objects" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"object_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_event_objects_tenant_id_object_id_created_at_id_pk" PRIMARY KEY("tenant_id","object_id","created_at","id")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"operation" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"objects" text[] NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"digest" "bytea" NOT NULL,
	CONSTRAINT "audit_events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "audit_events_sequence" UNIQUE("tenant_id","sequence"),
	CONSTRAINT "audit_events_sequence_counts" CHECK ("audit_events"."sequence" > 0)
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"digest" "bytea" NOT NULL,
	"anchored_at" timestamp (3) with time zone,
	"anchored_sequence" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "daily_spend" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"kid" text NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"sum_minor" bigint NOT NULL,
	"limit_minor" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "daily_spend_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "daily_spend_kind_known" CHECK ("daily_spend"."kind" in ('transfers', 'refunds')),
	CONSTRAINT "daily_spend_within_limit" CHECK ("daily_spend"."sum_minor" between 0 and "daily_spend"."limit_minor")
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"status" text NOT NULL,
	"processor" text NOT NULL,
	"processor_ref" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"held_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"round" integer NOT NULL,
	"evidence_due_by" timestamp (3) with time zone,
	"evidence_submitted_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "disputes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "disputes_status_known" CHECK ("disputes"."status" in ('needs_response', 'under_review', 'won', 'lost')),
	CONSTRAINT "disputes_round_counted" CHECK ("disputes"."round" > 0),
	CONSTRAINT "disputes_held_bounds" CHECK ("disputes"."held_minor" between 0 and "disputes"."amount_minor" and "disputes"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "door_event_types" (
	"type" text PRIMARY KEY NOT NULL,
	"scopes" text[] NOT NULL
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
	"access" jsonb NOT NULL,
	"tables" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "door_settings" (
	"environment" text PRIMARY KEY NOT NULL,
	"commit_order_offset" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "due_failures" (
	"job" text NOT NULL,
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"failures_count" integer NOT NULL,
	"next_try_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "due_failures_job_tenant_id_id_pk" PRIMARY KEY("job","tenant_id","id")
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
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_claims_tenant_id_operation_key_pk" PRIMARY KEY("tenant_id","operation","key"),
	CONSTRAINT "idempotency_claims_key_length" CHECK (char_length("idempotency_claims"."key") between 8 and 255)
);
--> statement-breakpoint
CREATE TABLE "events" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"api_version" text DEFAULT '2026-06-13' NOT NULL,
	"resource_type" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"object" jsonb NOT NULL,
	"previous_attributes" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"commit_order" bigint DEFAULT 0 NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "events_resource_sequence" UNIQUE("tenant_id","resource_id","sequence"),
	CONSTRAINT "events_tell_no_account" CHECK (not (object -> 'destination' ? 'clabe') and not (previous_attributes -> 'destination' ? 'clabe'))
);
--> statement-breakpoint
CREATE TABLE "balance_activity" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"currency" text NOT NULL,
	"source_type" text NOT NULL,
	"source_id" uuid NOT NULL,
	"entry_kind" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"payout_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "balance_activity_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"tenant_id" text NOT NULL,
	"currency" text NOT NULL,
	"code" text NOT NULL,
	"balance_minor" bigint NOT NULL,
	CONSTRAINT "ledger_accounts_tenant_id_currency_code_pk" PRIMARY KEY("tenant_id","currency","code"),
	CONSTRAINT "ledger_accounts_currency_form" CHECK ("ledger_accounts"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "ledger_accounts_code_known" CHECK ("ledger_accounts"."code" in ('processor_clearing', 'merchant_pending', 'merchant_available', 'merchant_reserve', 'fee_expense', 'iva_on_fees', 'refunds_in_flight', 'dispute_hold', 'transfers_in_flight', 'payouts_in_flight', 'unapplied_funds')),
	CONSTRAINT "ledger_accounts_bounds" CHECK (abs("ledger_accounts"."balance_minor") <= 999999999999999999),
	CONSTRAINT "ledger_accounts_not_negative" CHECK ("ledger_accounts"."code" in ('processor_clearing', 'merchant_available', 'fee_expense', 'iva_on_fees')
        or "ledger_accounts"."balance_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_journals" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source_type" text NOT NULL,
	"source_id" uuid NOT NULL,
	"entry_kind" text NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_journals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "ledger_journals_once" UNIQUE("tenant_id","source_type","source_id","entry_kind","round")
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
CREATE TABLE "locations" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"address" jsonb,
	"time_zone" text NOT NULL,
	"phone" text,
	"currency" text NOT NULL,
	"metadata" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "locations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "locations_status_known" CHECK ("locations"."status" in ('active', 'archived')),
	CONSTRAINT "locations_name_length" CHECK (char_length("locations"."name") between 1 and 120),
	CONSTRAINT "locations_phone_form" CHECK ("locations"."phone" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "locations_address_form" CHECK ("locations"."address" is null or (jsonb_typeof("locations"."address") = 'object' and "locations"."address" ?& array['line1', 'city'] and "locations"."address"->>'country' ~ '^[A-Z]{2}$') is true),
	CONSTRAINT "locations_currency_form" CHECK ("locations"."currency" ~ '^[a-z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "mail_notices" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"status" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mail_notices_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "mail_notices_kind_known" CHECK ("mail_notices"."kind" in ('api_key_created', 'api_key_revoked')),
	CONSTRAINT "mail_notices_status_known" CHECK ("mail_notices"."status" in ('waiting', 'handed_over')),
	CONSTRAINT "mail_notices_forget_data" CHECK ("mail_notices"."status" = 'waiting' or "mail_notices"."data" = '{}')
);
--> statement-breakpoint
CREATE TABLE "metadata_entries" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"resource" text NOT NULL,
	"entry" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "metadata_entries_tenant_id_resource_entry_created_at_id_pk" PRIMARY KEY("tenant_id","resource","entry","created_at","id"),
	CONSTRAINT "metadata_entries_resource_known" CHECK ("metadata_entries"."resource" in ('payment_link', 'payment'))
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
	"capture_method" text NOT NULL,
	"installment_months" integer[] NOT NULL,
	"installment_plan_months" integer,
	"fee_allocation" text NOT NULL,
	"merchant_markup_bps" integer NOT NULL,
	"metadata" jsonb NOT NULL,
	"client_reference_id" text,
	"checkout_session_ref" text,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"terms_version" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_links_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_links_public_id_form" CHECK ("payment_links"."public_id" ~ '^splink_[a-z0-9]{32}$'),
	CONSTRAINT "payment_links_status_known" CHECK ("payment_links"."status" in ('active', 'inactive', 'paid', 'archived')),
	CONSTRAINT "payment_links_usage_known" CHECK ("payment_links"."usage" in ('single_use', 'multi_use')),
	CONSTRAINT "payment_links_paid_is_single_use" CHECK ("payment_links"."status" <> 'paid' or "payment_links"."usage" = 'single_use'),
	CONSTRAINT "payment_links_amount_positive" CHECK ("payment_links"."amount_minor" > 0),
	CONSTRAINT "payment_links_amount_bounded" CHECK ("payment_links"."amount_minor" <= 999999999999),
	CONSTRAINT "payment_links_currency_form" CHECK ("payment_links"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "payment_links_amount_source" CHECK (("payment_links"."amount_source" = 'manual_amount' and "payment_links"."catalog_line_item_snapshot" is null)
       or ("payment_links"."amount_source" = 'catalog_line_item' and "payment_links"."catalog_line_item_snapshot" is not null)),
	CONSTRAINT "payment_links_methods_some" CHECK (cardinality("payment_links"."payment_method_types") >= 1),
	CONSTRAINT "payment_links_cash_in_mxn" CHECK ("payment_links"."currency" = 'mxn' or not ("payment_links"."payment_method_types" && array['oxxo', 'spei'])),
	CONSTRAINT "payment_links_capture_method" CHECK ("payment_links"."capture_method" = 'automatic'
        or ("payment_links"."capture_method" = 'manual' and "payment_links"."payment_method_types" = array['card'])),
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
	"account_id" uuid,
	"method" text NOT NULL,
	"processor_ref" text,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"installment_months" integer NOT NULL,
	"capture_method" text NOT NULL,
	"intent" text,
	"intent_amount_minor" bigint,
	"intent_key" text,
	"method_details" jsonb,
	"next_action" jsonb,
	"decline_code" text,
	"decline_category" text,
	"contradiction" jsonb,
	"resolution" text,
	"three_ds" jsonb,
	"expires_at" timestamp (3) with time zone,
	"grace_ends_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_attempts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_attempts_status_known" CHECK ("payment_attempts"."status" in ('submitting', 'unknown', 'pending_customer', 'amount_mismatch', 'authorized', 'captured', 'declined', 'canceled', 'expired')),
	CONSTRAINT "payment_attempts_method_known" CHECK ("payment_attempts"."method" in ('card', 'oxxo', 'spei')),
	CONSTRAINT "payment_attempts_capture_method_known" CHECK ("payment_attempts"."capture_method" in ('automatic', 'manual')),
	CONSTRAINT "payment_attempts_intent" CHECK (("payment_attempts"."intent" is null and "payment_attempts"."intent_amount_minor" is null)
        or ("payment_attempts"."intent_key" is not null and "payment_attempts"."intent" = 'capture' and "payment_attempts"."intent_amount_minor" between 1 and "payment_attempts"."amount_minor")
        or ("payment_attempts"."intent_key" is not null and "payment_attempts"."intent" in ('cancel', 'void_or_refund') and "payment_attempts"."intent_amount_minor" is null)),
	CONSTRAINT "payment_attempts_void_or_refund" CHECK ("payment_attempts"."intent" is null or "payment_attempts"."intent" <> 'void_or_refund' or "payment_attempts"."status" = 'amount_mismatch'),
	CONSTRAINT "payment_attempts_resolution_known" CHECK ("payment_attempts"."resolution" in ('agreed', 'voided', 'refunded', 'settled_elsewhere')),
	CONSTRAINT "payment_attempts_intent_open" CHECK ("payment_attempts"."intent" is null or "payment_attempts"."status" in ('authorized', 'pending_customer', 'amount_mismatch')),
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
	"paid_by" text,
	"amount_received_minor" bigint NOT NULL,
	"capture_method" text NOT NULL,
	"capture_before" timestamp (3) with time zone,
	"installment_months" integer NOT NULL,
	"markup_minor" bigint NOT NULL,
	"fee_schedule_version" text NOT NULL,
	"fee_processing_minor" bigint NOT NULL,
	"fee_installments_minor" bigint NOT NULL,
	"fee_iva_minor" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	"available_on" date,
	"funds_status" text NOT NULL,
	"reserve_minor" bigint NOT NULL,
	"reserve_release_on" date,
	"open_disputes_count" integer NOT NULL,
	"origin_kind" text NOT NULL,
	"origin_id" uuid NOT NULL,
	"exclusive" boolean NOT NULL,
	"customer_id" uuid,
	"description" text,
	"client_reference_id" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"decline_code" text,
	"succeeded_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payments_public_id_form" CHECK ("payments"."public_id" ~ '^spcs_[a-z0-9]{32}$'),
	CONSTRAINT "payments_status_known" CHECK ("payments"."status" in ('processing', 'requires_action', 'requires_capture', 'succeeded', 'partially_captured', 'requires_payment_method', 'canceled', 'expired')),
	CONSTRAINT "payments_amount_positive" CHECK ("payments"."amount_minor" > 0),
	CONSTRAINT "payments_amount_bounded" CHECK ("payments"."amount_minor" <= 999999999999),
	CONSTRAINT "payments_amounts_ordered" CHECK (0 <= "payments"."amount_refunded_minor" and 0 <= "payments"."amount_disputed_minor"
        and "payments"."amount_refunded_minor" + "payments"."amount_disputed_minor" <= "payments"."amount_captured_minor"
        and "payments"."amount_captured_minor" <= "payments"."amount_authorized_minor" and "payments"."amount_authorized_minor" <= "payments"."amount_minor"),
	CONSTRAINT "payments_succeeded_is_captured" CHECK ("payments"."status" <> 'succeeded' or "payments"."amount_captured_minor" > 0),
	CONSTRAINT "payments_funds_status_known" CHECK ("payments"."funds_status" in ('none', 'pending', 'available')),
	CONSTRAINT "payments_method_known" CHECK ("payments"."method" in ('card', 'oxxo', 'spei')),
	CONSTRAINT "payments_capture_method_known" CHECK ("payments"."capture_method" in ('automatic', 'manual')),
	CONSTRAINT "payments_manual_capture_is_card" CHECK ("payments"."capture_method" = 'automatic' or "payments"."method" in ('card')),
	CONSTRAINT "payments_received_bounds" CHECK ("payments"."amount_received_minor" between 0 and "payments"."amount_minor"),
	CONSTRAINT "payments_received_fits_status" CHECK ("payments"."amount_received_minor" = 0 or ("payments"."method" in ('spei') and (
        ("payments"."status" = 'requires_action' and "payments"."amount_received_minor" < "payments"."amount_minor")
        or ("payments"."status" = 'succeeded' and "payments"."amount_received_minor" = "payments"."amount_minor")))),
	CONSTRAINT "payments_reserve_bounds" CHECK ("payments"."reserve_minor" >= 0),
	CONSTRAINT "payments_open_disputes_count" CHECK ("payments"."open_disputes_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payout_entries" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"payout_id" uuid NOT NULL,
	"activity_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source_id" uuid NOT NULL,
	"gross_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_entries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payout_entries_net" CHECK ("payout_entries"."gross_minor" - "payout_entries"."fee_minor" = "payout_entries"."net_minor")
);
--> statement-breakpoint
CREATE TABLE "payout_settings" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"currency" text NOT NULL,
	"interval" text NOT NULL,
	"anchor_day" integer,
	"minimum_minor" bigint NOT NULL,
	"clabe" text NOT NULL,
	"holder" text NOT NULL,
	"cool_down_ends_at" timestamp (3) with time zone,
	"next_payout_on" date,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_settings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payout_settings_interval_known" CHECK ("payout_settings"."interval" in ('daily', 'weekly', 'monthly', 'manual')),
	CONSTRAINT "payout_settings_anchor" CHECK (("payout_settings"."interval" = 'weekly' and "payout_settings"."anchor_day" between 1 and 7)
        or ("payout_settings"."interval" = 'monthly' and "payout_settings"."anchor_day" between 1 and 31)
        or ("payout_settings"."interval" in ('daily', 'manual') and "payout_settings"."anchor_day" is null)),
	CONSTRAINT "payout_settings_clabe_form" CHECK ("payout_settings"."clabe" ~ '^[0-9]{18}$'),
	CONSTRAINT "payout_settings_minimum" CHECK ("payout_settings"."minimum_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"gross_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"entries_count" integer NOT NULL,
	"destination_clabe" text NOT NULL,
	"destination_holder" text NOT NULL,
	"processor" text NOT NULL,
	"clave_rastreo" text,
	"return_clave_rastreo" text,
	"failure_code" text,
	"arrives_on" date,
	"next_check_at" timestamp (3) with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payouts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payouts_status_known" CHECK ("payouts"."status" in ('pending', 'in_transit', 'paid', 'failed', 'canceled', 'returned')),
	CONSTRAINT "payouts_amount_positive" CHECK ("payouts"."amount_minor" > 0),
	CONSTRAINT "payouts_net" CHECK ("payouts"."gross_minor" - "payouts"."fee_minor" = "payouts"."amount_minor")
);
--> statement-breakpoint
CREATE TABLE "processor_credentials" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"processor" text NOT NULL,
	"account_ref" text,
	"status" text NOT NULL,
	"secret_key" text NOT NULL,
	"secret_key_last4" text NOT NULL,
	"webhook_secret" text NOT NULL,
	"publishable_key" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "processor_credentials_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "processor_credentials_processor_known" CHECK ("processor_credentials"."processor" in ('stripe')),
	CONSTRAINT "processor_credentials_status_known" CHECK ("processor_credentials"."status" in ('active', 'superseded')),
	CONSTRAINT "processor_credentials_encrypted" CHECK ("processor_credentials"."secret_key" ~ '^[0-9]+[.][A-Za-z0-9+/=]+$' and "processor_credentials"."webhook_secret" ~ '^[0-9]+[.][A-Za-z0-9+/=]+$'),
	CONSTRAINT "processor_credentials_last4" CHECK (char_length("processor_credentials"."secret_key_last4") = 4)
);
--> statement-breakpoint
CREATE TABLE "processor_notifications" (
	"processor" text NOT NULL,
	"account" text NOT NULL,
	"event_id" text NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"processed_at" timestamp (3) with time zone,
	"tries_count" integer NOT NULL,
	"next_try_at" timestamp (3) with time zone,
	CONSTRAINT "processor_notifications_processor_account_event_id_pk" PRIMARY KEY("processor","account","event_id"),
	CONSTRAINT "processor_notifications_kind_known" CHECK ("processor_notifications"."kind" in ('attempt', 'refund', 'order', 'deposit', 'dispute', 'processor_refund')),
	CONSTRAINT "processor_notifications_bounds" CHECK (char_length("processor_notifications"."event_id") <= 255 and char_length("processor_notifications"."reference") <= 255)
);
--> statement-breakpoint
CREATE TABLE "public_ids" (
	"public_id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"kind" text NOT NULL,
	"id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clabes" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"clabe" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"status" text NOT NULL,
	"quarantine_ends_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "clabes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "clabes_form" CHECK ("clabes"."clabe" ~ '^[0-9]{18}$'),
	CONSTRAINT "clabes_status_known" CHECK ("clabes"."status" in ('assigned', 'quarantined', 'released')),
	CONSTRAINT "clabes_quarantine_has_end" CHECK ("clabes"."status" <> 'quarantined' or "clabes"."quarantine_ends_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "spei_deposits" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"clabe" text NOT NULL,
	"payment_id" uuid,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"clave_rastreo" text NOT NULL,
	"sender_bank" text NOT NULL,
	"sender_clabe" text,
	"sender_name" text,
	"operation_date" date NOT NULL,
	"applied_minor" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "spei_deposits_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "spei_deposits_amount_positive" CHECK ("spei_deposits"."amount_minor" > 0),
	CONSTRAINT "spei_deposits_applied_bounds" CHECK ("spei_deposits"."applied_minor" between 0 and "spei_deposits"."amount_minor"),
	CONSTRAINT "spei_deposits_clave_form" CHECK ("spei_deposits"."clave_rastreo" ~ '^[A-Za-z0-9]{1,30}$')
);
--> statement-breakpoint
CREATE TABLE "unapplied_funds" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"method" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"remaining_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment_id" uuid,
	"deposit_id" uuid,
	"voucher_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unapplied_funds_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "unapplied_funds_status_known" CHECK ("unapplied_funds"."status" in ('open', 'settled')),
	CONSTRAINT "unapplied_funds_reason_known" CHECK ("unapplied_funds"."reason" in ('paid_late', 'overpaid', 'already_paid', 'incomplete', 'unknown_clabe')),
	CONSTRAINT "unapplied_funds_method_known" CHECK ("unapplied_funds"."method" in ('oxxo', 'spei')),
	CONSTRAINT "unapplied_funds_amount_positive" CHECK ("unapplied_funds"."amount_minor" > 0),
	CONSTRAINT "unapplied_funds_remaining_bounds" CHECK ("unapplied_funds"."remaining_minor" between 0 and "unapplied_funds"."amount_minor"),
	CONSTRAINT "unapplied_funds_settled_is_empty" CHECK ("unapplied_funds"."status" <> 'settled' or "unapplied_funds"."remaining_minor" = 0)
);
--> statement-breakpoint
CREATE TABLE "unapplied_funds_applications" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"unapplied_funds_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unapplied_funds_applications_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "unapplied_funds_applications_amount_positive" CHECK ("unapplied_funds_applications"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "vouchers" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"grace_ends_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vouchers_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "vouchers_reference_form" CHECK ("vouchers"."reference" ~ '^[0-9]{14,32}$'),
	CONSTRAINT "vouchers_status_known" CHECK ("vouchers"."status" in ('issued', 'expired', 'canceled', 'paid')),
	CONSTRAINT "vouchers_amount_positive" CHECK ("vouchers"."amount_minor" > 0),
	CONSTRAINT "vouchers_in_mxn" CHECK ("vouchers"."currency" = 'mxn')
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid,
	"unapplied_funds_id" uuid,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"method" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"destination_clabe" text,
	"destination_holder" text,
	"processor" text,
	"processor_ref" text,
	"clave_rastreo" text,
	"pending_reason" text,
	"failure_code" text,
	"contradiction" jsonb,
	"approved_by_user_id" text,
	"approved_at" timestamp (3) with time zone,
	"line_items" jsonb,
	"metadata" jsonb NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refunds_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "refunds_one_source" CHECK (("refunds"."payment_id" is null) <> ("refunds"."unapplied_funds_id" is null)),
	CONSTRAINT "refunds_status_known" CHECK ("refunds"."status" in ('requires_destination', 'pending_approval', 'pending', 'processing', 'succeeded', 'amount_mismatch', 'failed', 'canceled')),
	CONSTRAINT "refunds_method_known" CHECK ("refunds"."method" in ('original', 'spei_out', 'recorded_offline')),
	CONSTRAINT "refunds_origin_known" CHECK ("refunds"."origin" in ('api', 'processor')),
	CONSTRAINT "refunds_made_at_processor" CHECK (case when "refunds"."origin" = 'processor'
        then "refunds"."payment_id" is not null and "refunds"."method" = 'original' and "refunds"."processor" is not null and "refunds"."processor_ref" is not null
          and "refunds"."status" in ('processing', 'succeeded', 'failed', 'amount_mismatch')
        else "refunds"."status" <> 'amount_mismatch' end),
	CONSTRAINT "refunds_amount_positive" CHECK ("refunds"."amount_minor" > 0),
	CONSTRAINT "refunds_destination" CHECK ("refunds"."method" <> 'spei_out' or "refunds"."status" in ('requires_destination', 'canceled')
        or ("refunds"."destination_clabe" ~ '^[0-9]{18}$' and "refunds"."destination_holder" is not null))
);
--> statement-breakpoint
CREATE TABLE "sandbox_clocks" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"advanced_seconds" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_clocks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sandbox_clocks_forward" CHECK ("sandbox_clocks"."advanced_seconds" > 0)
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
	"challenge_expires_at" timestamp (3) with time zone NOT NULL,
	"token_expires_at" timestamp (3) with time zone,
	"consumed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "step_up_challenges_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "step_up_challenges_status_known" CHECK ("step_up_challenges"."status" in ('pending', 'verified', 'failed', 'consumed', 'expired')),
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
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_tenant_id_user_id_pk" PRIMARY KEY("tenant_id","user_id"),
	CONSTRAINT "memberships_role_known" CHECK ("memberships"."role" in ('owner', 'admin', 'member')),
	CONSTRAINT "memberships_status_known" CHECK ("memberships"."status" in ('active', 'removed'))
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"support_email" text,
	"support_phone" text,
	"website_url" text,
	"fiscal_profile" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tenants_events_of" UNIQUE("tenant_id","id"),
	CONSTRAINT "tenants_id_form" CHECK ("tenants"."tenant_id" ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$'),
	CONSTRAINT "tenants_status_known" CHECK ("tenants"."status" in ('active', 'suspended', 'closed')),
	CONSTRAINT "tenants_name_length" CHECK (char_length("tenants"."name") between 1 and 120),
	CONSTRAINT "tenants_support_email_form" CHECK ("tenants"."support_email" ~ '^[^@]+@[^@]+$' and char_length("tenants"."support_email") <= 254),
	CONSTRAINT "tenants_support_phone_form" CHECK ("tenants"."support_phone" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "tenants_website_form" CHECK ("tenants"."website_url" ~ '^https://'),
	CONSTRAINT "tenants_fiscal_profile_form" CHECK ("tenants"."fiscal_profile" is null or ("tenants"."fiscal_profile"->>'rfc' ~ '^[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{2}[A0-9]$' and "tenants"."fiscal_profile"->>'tax_regime' ~ '^6[0-9]{2}$' and "tenants"."fiscal_profile"->>'postal_code' ~ '^[0-9]{5}$' and char_length("tenants"."fiscal_profile"->>'legal_name') between 1 and 254) is true)
);
--> statement-breakpoint
CREATE TABLE "incoming_transfers" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source_transfer_id" uuid NOT NULL,
	"source_tenant_id" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"concept" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "incoming_transfers_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "incoming_transfers_amount_positive" CHECK ("incoming_transfers"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"destination_type" text NOT NULL,
	"destination_clabe" text,
	"destination_holder" text,
	"destination_tenant_id" text,
	"concept" text NOT NULL,
	"metadata" jsonb NOT NULL,
	"api_key_id" uuid NOT NULL,
	"approved_by_user_id" text,
	"approved_at" timestamp (3) with time zone,
	"processor" text NOT NULL,
	"clave_rastreo" text,
	"return_clave_rastreo" text,
	"failure_code" text,
	"next_check_at" timestamp (3) with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfers_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "transfers_status_known" CHECK ("transfers"."status" in ('pending_approval', 'pending', 'processing', 'paid', 'failed', 'canceled', 'returned')),
	CONSTRAINT "transfers_amount_positive" CHECK ("transfers"."amount_minor" > 0),
	CONSTRAINT "transfers_destination" CHECK (("transfers"."destination_type" = 'clabe' and "transfers"."destination_clabe" ~ '^[0-9]{18}$'
          and "transfers"."destination_holder" is not null and "transfers"."destination_tenant_id" is null)
        or ("transfers"."destination_type" = 'tenant' and "transfers"."destination_tenant_id" is not null
          and "transfers"."destination_tenant_id" <> "transfers"."tenant_id" and "transfers"."destination_clabe" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"failure" text,
	"response_status" integer,
	"response_body" text,
	"duration_ms" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_attempts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "webhook_attempts_number" UNIQUE("tenant_id","delivery_id","number"),
	CONSTRAINT "webhook_attempts_failure_known" CHECK ("webhook_attempts"."failure" in ('address', 'dns', 'connection', 'timeout', 'redirect', 'gone', 'status'))
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"attempts_count" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"response_status" integer,
	"finished_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "webhook_deliveries_status_known" CHECK ("webhook_deliveries"."status" in ('pending', 'retrying', 'in_flight', 'succeeded', 'exhausted', 'canceled')),
	CONSTRAINT "webhook_deliveries_origin_known" CHECK ("webhook_deliveries"."origin" in ('event', 'redelivery', 'recovery')),
	CONSTRAINT "webhook_deliveries_waits_or_is_over" CHECK (("webhook_deliveries"."status" in ('pending', 'in_flight', 'retrying')) = ("webhook_deliveries"."next_attempt_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"event_types" text[] NOT NULL,
	"status" text NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"hastened_at" timestamp (3) with time zone,
	"hastened_until" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_endpoints_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "webhook_endpoints_status_known" CHECK ("webhook_endpoints"."status" in ('enabled', 'degraded', 'paused', 'disabled', 'deleted')),
	CONSTRAINT "webhook_endpoints_disabled_with_reason" CHECK (("webhook_endpoints"."status" = 'disabled') = ("webhook_endpoints"."disabled_reason" is not null)
        and ("webhook_endpoints"."disabled_reason" is null or "webhook_endpoints"."disabled_reason" in ('by_hand', 'gone', 'failing'))),
	CONSTRAINT "webhook_endpoints_event_types_count" CHECK (cardinality("webhook_endpoints"."event_types") between 1 and 100),
	CONSTRAINT "webhook_endpoints_url_length" CHECK (char_length("webhook_endpoints"."url") between 1 and 2048)
);
--> statement-breakpoint
CREATE TABLE "webhook_payloads" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "webhook_payloads_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_recoveries" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"deliveries_count" integer NOT NULL,
	"steps_count" integer NOT NULL,
	"cursor_created_at" timestamp (3) with time zone,
	"cursor_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_recoveries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "webhook_recoveries_status_known" CHECK ("webhook_recoveries"."status" in ('running', 'completed')),
	CONSTRAINT "webhook_recoveries_window" CHECK ("webhook_recoveries"."since" < "webhook_recoveries"."until")
);
--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"ciphertext" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_secrets_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotated_from" FOREIGN KEY ("tenant_id","rotated_from_id") REFERENCES "public"."api_keys"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD CONSTRAINT "audit_heads_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_spend" ADD CONSTRAINT "daily_spend_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balance_activity" ADD CONSTRAINT "balance_activity_journal" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."ledger_journals"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_journals" ADD CONSTRAINT "ledger_journals_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_journal" FOREIGN KEY ("tenant_id","journal_id") REFERENCES "public"."ledger_journals"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_account" FOREIGN KEY ("tenant_id","currency","account_code") REFERENCES "public"."ledger_accounts"("tenant_id","currency","code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_notices" ADD CONSTRAINT "mail_notices_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "metadata_entries" ADD CONSTRAINT "metadata_entries_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_account" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."processor_credentials"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_entries" ADD CONSTRAINT "payout_entries_payout" FOREIGN KEY ("tenant_id","payout_id") REFERENCES "public"."payouts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_entries" ADD CONSTRAINT "payout_entries_activity" FOREIGN KEY ("tenant_id","activity_id") REFERENCES "public"."balance_activity"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_settings" ADD CONSTRAINT "payout_settings_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "processor_credentials" ADD CONSTRAINT "processor_credentials_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_ids" ADD CONSTRAINT "public_ids_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clabes" ADD CONSTRAINT "clabes_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clabes" ADD CONSTRAINT "clabes_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spei_deposits" ADD CONSTRAINT "spei_deposits_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds" ADD CONSTRAINT "unapplied_funds_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds" ADD CONSTRAINT "unapplied_funds_deposit" FOREIGN KEY ("tenant_id","deposit_id") REFERENCES "public"."spei_deposits"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds" ADD CONSTRAINT "unapplied_funds_voucher" FOREIGN KEY ("tenant_id","voucher_id") REFERENCES "public"."vouchers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds_applications" ADD CONSTRAINT "unapplied_funds_applications_funds" FOREIGN KEY ("tenant_id","unapplied_funds_id") REFERENCES "public"."unapplied_funds"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds_applications" ADD CONSTRAINT "unapplied_funds_applications_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds_applications" ADD CONSTRAINT "unapplied_funds_applications_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_unapplied_funds" FOREIGN KEY ("tenant_id","unapplied_funds_id") REFERENCES "public"."unapplied_funds"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_clocks" ADD CONSTRAINT "sandbox_clocks_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_up_challenges" ADD CONSTRAINT "step_up_challenges_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_transfers" ADD CONSTRAINT "incoming_transfers_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_api_key" FOREIGN KEY ("tenant_id","api_key_id") REFERENCES "public"."api_keys"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("tenant_id","delivery_id") REFERENCES "public"."webhook_deliveries"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint" FOREIGN KEY ("tenant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_payload" FOREIGN KEY ("tenant_id","event_id") REFERENCES "public"."webhook_payloads"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_payloads" ADD CONSTRAINT "webhook_payloads_event" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."events"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_recoveries" ADD CONSTRAINT "webhook_recoveries_endpoint" FOREIGN KEY ("tenant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint" FOREIGN KEY ("tenant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_kid" ON "api_keys" USING btree ("kid");--> statement-breakpoint
CREATE INDEX "api_keys_list" ON "api_keys" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_due" ON "api_keys" USING btree ("updated_at") WHERE status in ('provisioning', 'rotating', 'revoking') or (status = 'active' and expires_at is not null);--> statement-breakpoint
CREATE INDEX "audit_events_list" ON "audit_events" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_events_list_by_kind" ON "audit_events" USING btree ("tenant_id","actor_kind","created_at","id") WHERE "audit_events"."actor_kind" <> 'api_key' and "audit_events"."actor_kind" <> 'public_id' and "audit_events"."actor_kind" <> 'system';--> statement-breakpoint
CREATE INDEX "audit_events_list_by_actor" ON "audit_events" USING btree ("tenant_id","actor_id","created_at","id") WHERE "audit_events"."actor_id" <> 'buyer' and "audit_events"."actor_id" <> 'system';--> statement-breakpoint
CREATE INDEX "audit_events_list_by_operation" ON "audit_events" USING btree ("tenant_id","operation","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "daily_spend_one" ON "daily_spend" USING btree ("tenant_id","kid","kind","currency");--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_processor_ref" ON "disputes" USING btree ("processor","processor_ref");--> statement-breakpoint
CREATE INDEX "disputes_list" ON "disputes" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "disputes_list_by_status" ON "disputes" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "disputes_list_by_payment" ON "disputes" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE INDEX "disputes_due" ON "disputes" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "due_failures_old" ON "due_failures" USING btree ("next_try_at");--> statement-breakpoint
CREATE INDEX "idempotency_claims_due" ON "idempotency_claims" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "events_list" ON "events" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_list_by_type" ON "events" USING btree ("tenant_id","type","created_at","id");--> statement-breakpoint
CREATE INDEX "events_followed" ON "events" USING btree ("tenant_id","type","commit_order","position");--> statement-breakpoint
CREATE INDEX "balance_activity_open" ON "balance_activity" USING btree ("tenant_id","currency","created_at","id") WHERE payout_id is null;--> statement-breakpoint
CREATE INDEX "balance_activity_list" ON "balance_activity" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "balance_activity_list_by_payout" ON "balance_activity" USING btree ("tenant_id","payout_id","created_at","id") WHERE payout_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "locations_name" ON "locations" USING btree ("tenant_id",lower("name")) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "locations_list" ON "locations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "locations_list_by_status" ON "locations" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "mail_notices_due" ON "mail_notices" USING btree ("created_at") WHERE status = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_links_public_id" ON "payment_links" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "payment_links_list" ON "payment_links" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_list_by_status" ON "payment_links" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_list_by_reference" ON "payment_links" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "payment_links_due" ON "payment_links" USING btree ("expires_at") WHERE status = 'active' and expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_number" ON "payment_attempts" USING btree ("tenant_id","payment_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_live" ON "payment_attempts" USING btree ("tenant_id","payment_id") WHERE status in ('submitting', 'pending_customer', 'unknown', 'authorized', 'captured');--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_reference" ON "payment_attempts" USING btree ("id");--> statement-breakpoint
CREATE INDEX "payment_attempts_due" ON "payment_attempts" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_public_id" ON "payments" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_live_per_exclusive_origin" ON "payments" USING btree ("tenant_id","origin_kind","origin_id") WHERE exclusive and status in ('processing', 'requires_action', 'requires_capture', 'succeeded', 'partially_captured');--> statement-breakpoint
CREATE INDEX "payments_list" ON "payments" USING btree ("tenant_id","created_at","id","amount_minor");--> statement-breakpoint
CREATE INDEX "payments_list_by_status" ON "payments" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_list_by_method" ON "payments" USING btree ("tenant_id","method","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_list_by_status_method" ON "payments" USING btree ("tenant_id","status","method","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_list_by_origin" ON "payments" USING btree ("tenant_id","origin_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_list_by_customer" ON "payments" USING btree ("tenant_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_list_by_reference" ON "payments" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "payments_list_by_paid_by" ON "payments" USING btree ("tenant_id","paid_by","created_at","id") WHERE paid_by is not null;--> statement-breakpoint
CREATE INDEX "payments_due_funds" ON "payments" USING btree ("available_on","tenant_id") WHERE funds_status = 'pending';--> statement-breakpoint
CREATE INDEX "payments_due_reserve" ON "payments" USING btree ("reserve_release_on","tenant_id") WHERE reserve_release_on is not null;--> statement-breakpoint
CREATE INDEX "payments_due_expiry" ON "payments" USING btree ("expires_at") WHERE status = 'requires_payment_method';--> statement-breakpoint
CREATE UNIQUE INDEX "payout_entries_once" ON "payout_entries" USING btree ("tenant_id","activity_id");--> statement-breakpoint
CREATE INDEX "payout_entries_list" ON "payout_entries" USING btree ("tenant_id","payout_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_settings_one" ON "payout_settings" USING btree ("tenant_id","currency");--> statement-breakpoint
CREATE INDEX "payout_settings_due" ON "payout_settings" USING btree ("next_payout_on") WHERE next_payout_on is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_reference" ON "payouts" USING btree ("id");--> statement-breakpoint
CREATE INDEX "payouts_list" ON "payouts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_list_by_status" ON "payouts" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "processor_credentials_one" ON "processor_credentials" USING btree ("tenant_id","processor") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "processor_credentials_id" ON "processor_credentials" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "processor_credentials_account" ON "processor_credentials" USING btree ("tenant_id","processor","account_ref");--> statement-breakpoint
CREATE INDEX "processor_notifications_due" ON "processor_notifications" USING btree ("next_try_at") WHERE next_try_at is not null;--> statement-breakpoint
CREATE INDEX "processor_notifications_old" ON "processor_notifications" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "public_ids_one" ON "public_ids" USING btree ("tenant_id","kind","id");--> statement-breakpoint
CREATE UNIQUE INDEX "clabes_one_use" ON "clabes" USING btree ("clabe") WHERE status in ('assigned', 'quarantined');--> statement-breakpoint
CREATE INDEX "clabes_by_payment" ON "clabes" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE INDEX "clabes_due" ON "clabes" USING btree ("quarantine_ends_at") WHERE status = 'quarantined';--> statement-breakpoint
CREATE UNIQUE INDEX "spei_deposits_once" ON "spei_deposits" USING btree ("tenant_id","clave_rastreo","sender_bank","operation_date","clabe","amount_minor");--> statement-breakpoint
CREATE INDEX "spei_deposits_list" ON "spei_deposits" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "spei_deposits_list_by_payment" ON "spei_deposits" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "unapplied_funds_once_per_deposit" ON "unapplied_funds" USING btree ("tenant_id","deposit_id");--> statement-breakpoint
CREATE UNIQUE INDEX "unapplied_funds_once_per_voucher" ON "unapplied_funds" USING btree ("tenant_id","voucher_id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_list" ON "unapplied_funds" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_by_payment" ON "unapplied_funds" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_list_by_status" ON "unapplied_funds" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_applications_by_attempt" ON "unapplied_funds_applications" USING btree ("tenant_id","attempt_id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_applications_by_funds" ON "unapplied_funds_applications" USING btree ("tenant_id","unapplied_funds_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vouchers_reference" ON "vouchers" USING btree ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "vouchers_one_per_attempt" ON "vouchers" USING btree ("tenant_id","attempt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vouchers_one_live" ON "vouchers" USING btree ("tenant_id","payment_id") WHERE status = 'issued';--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_reference" ON "refunds" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_processor_ref" ON "refunds" USING btree ("processor","processor_ref");--> statement-breakpoint
CREATE INDEX "refunds_list" ON "refunds" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "refunds_list_by_status" ON "refunds" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "refunds_list_by_payment" ON "refunds" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_clocks_one" ON "sandbox_clocks" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "step_up_challenges_token" ON "step_up_challenges" USING btree ("token_digest");--> statement-breakpoint
CREATE UNIQUE INDEX "step_up_challenges_id" ON "step_up_challenges" USING btree ("id");--> statement-breakpoint
CREATE INDEX "step_up_challenges_due" ON "step_up_challenges" USING btree ("challenge_expires_at") WHERE status in ('pending', 'verified');--> statement-breakpoint
CREATE INDEX "memberships_by_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "incoming_transfers_once" ON "incoming_transfers" USING btree ("source_transfer_id");--> statement-breakpoint
CREATE INDEX "incoming_transfers_list" ON "incoming_transfers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_reference" ON "transfers" USING btree ("id");--> statement-breakpoint
CREATE INDEX "transfers_list" ON "transfers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_list_by_status" ON "transfers" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_due" ON "transfers" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_one_of_event" ON "webhook_deliveries" USING btree ("tenant_id","endpoint_id","event_id") WHERE origin = 'event';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list" ON "webhook_deliveries" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list_by_type" ON "webhook_deliveries" USING btree ("tenant_id","event_type","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_list_unsuccessful" ON "webhook_deliveries" USING btree ("tenant_id","status","created_at","id") WHERE status <> 'succeeded';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("tenant_id","endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_event" ON "webhook_deliveries" USING btree ("tenant_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_over" ON "webhook_deliveries" USING btree ("finished_at") WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("endpoint_id",(case when status = 'in_flight' then 0 when status = 'retrying' or origin = 'recovery' then 2 else 1 end),"next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_in_back_off" ON "webhook_deliveries" USING btree ("endpoint_id","updated_at") WHERE status = 'retrying';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_list" ON "webhook_endpoints" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_standing" ON "webhook_endpoints" USING btree ("tenant_id") WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_receiving" ON "webhook_endpoints" USING btree ("tenant_id") WHERE status in ('enabled', 'degraded', 'paused');--> statement-breakpoint
CREATE INDEX "webhook_recoveries_due" ON "webhook_recoveries" USING btree ("updated_at") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "webhook_recoveries_over" ON "webhook_recoveries" USING btree ("updated_at") WHERE status = 'completed';--> statement-breakpoint
CREATE INDEX "webhook_secrets_over" ON "webhook_secrets" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_secrets_one_current" ON "webhook_secrets" USING btree ("tenant_id","endpoint_id") WHERE expires_at is null;--> statement-breakpoint
CREATE INDEX "webhook_secrets_of_endpoint" ON "webhook_secrets" USING btree ("tenant_id","endpoint_id");