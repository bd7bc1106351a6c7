CREATE TABLE "api_keys" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"object_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_event_objects_tenant_id_object_id_created_at_id_pk" PRIMARY KEY("tenant_id","object_id","created_at","id")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"operation" text NOT NULL,
	"actor_type" text NOT NULL,
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
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"digest" "bytea" NOT NULL,
	"anchored_at" timestamp (3) with time zone,
	"anchored_sequence" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bank_accounts" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"clabe" text NOT NULL,
	"holder" text NOT NULL,
	"holder_matches" boolean,
	"verification" text NOT NULL,
	"rejection_code" text,
	"verified_at" timestamp (3) with time zone,
	"cool_down_ends_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_accounts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "bank_accounts_status_known" CHECK ("bank_accounts"."status" in ('pending_verification', 'verified', 'rejected', 'disabled')),
	CONSTRAINT "bank_accounts_verification_known" CHECK ("bank_accounts"."verification" in ('deposit', 'review')),
	CONSTRAINT "bank_accounts_rejection_known" CHECK ("bank_accounts"."rejection_code" in ('account_closed', 'account_not_found', 'holder_mismatch', 'declined_by_bank', 'processing_error', 'refused_in_review')),
	CONSTRAINT "bank_accounts_clabe_form" CHECK ("bank_accounts"."clabe" ~ '^[0-9]{18}$'),
	CONSTRAINT "bank_accounts_holder_length" CHECK (char_length("bank_accounts"."holder") between 1 and 40),
	CONSTRAINT "bank_accounts_rejected_why" CHECK (("bank_accounts"."status" = 'rejected') = ("bank_accounts"."rejection_code" is not null)),
	CONSTRAINT "bank_accounts_verified_when" CHECK ("bank_accounts"."status" <> 'verified' or "bank_accounts"."verified_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "buyer_details" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid,
	"origin_id" uuid NOT NULL,
	"details" jsonb NOT NULL,
	"email" text,
	"email_digests" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "buyer_details_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "buyer_details_email_given" CHECK ("buyer_details"."email" is not distinct from "buyer_details"."details"->>'email')
);
--> statement-breakpoint
CREATE TABLE "card_tries" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"origin_id" uuid NOT NULL,
	"network_digest" text NOT NULL,
	"contact_digest" text,
	"card_digest" text NOT NULL,
	"is_confirmed" boolean NOT NULL,
	"is_person" boolean DEFAULT false NOT NULL,
	"is_server" boolean DEFAULT false NOT NULL,
	"is_blocked" boolean DEFAULT false NOT NULL,
	"has_failed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_tries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "checkout_recoveries" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"status" text NOT NULL,
	"email" text,
	"locale" text NOT NULL,
	"consented_at" timestamp (3) with time zone NOT NULL,
	"mail_at" timestamp (3) with time zone,
	"valid_until" timestamp (3) with time zone,
	"recovered_ref" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checkout_recoveries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "checkout_recoveries_status_known" CHECK ("checkout_recoveries"."status" in ('waiting', 'withdrawn', 'not_needed', 'mailed', 'recovered')),
	CONSTRAINT "checkout_recoveries_locale_known" CHECK ("checkout_recoveries"."locale" in ('es-MX', 'en')),
	CONSTRAINT "checkout_recoveries_email_form" CHECK ("checkout_recoveries"."email" ~ '^[^@[:space:]]+@[^@[:space:]]+$' and char_length("checkout_recoveries"."email") <= 254),
	CONSTRAINT "checkout_recoveries_forget_email" CHECK (("checkout_recoveries"."status" = 'waiting') = ("checkout_recoveries"."email" is not null) and ("checkout_recoveries"."mail_at" is null or "checkout_recoveries"."status" = 'waiting')),
	CONSTRAINT "checkout_recoveries_mailed" CHECK (("checkout_recoveries"."status" in ('mailed', 'recovered')) = ("checkout_recoveries"."valid_until" is not null)
          and ("checkout_recoveries"."status" = 'recovered') = ("checkout_recoveries"."recovered_ref" is not null))
);
--> statement-breakpoint
CREATE TABLE "checkout_sessions" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"ui_mode" text DEFAULT 'hosted' NOT NULL,
	"lines" jsonb NOT NULL,
	"stock" jsonb,
	"delivers" jsonb,
	"code_tries" integer DEFAULT 0 NOT NULL,
	"discounts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"takes_codes" boolean DEFAULT false NOT NULL,
	"shipping_options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tip_options" jsonb,
	"shipping_at" integer,
	"shipping_minor" bigint DEFAULT 0 NOT NULL,
	"tip_bps" integer,
	"tip_minor" bigint DEFAULT 0 NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment_method_types" text[] NOT NULL,
	"capture_method" text NOT NULL,
	"installment_months" integer[] NOT NULL,
	"installment_plan_months" integer,
	"fee_allocation" text NOT NULL,
	"merchant_markup_bps" integer NOT NULL,
	"terms_version" integer NOT NULL,
	"asks_version" integer DEFAULT 1 NOT NULL,
	"collects" jsonb,
	"description" text,
	"success_url" text,
	"cancel_url" text,
	"metadata" jsonb NOT NULL,
	"client_reference_id" text,
	"customer_id" uuid,
	"customer_email" text,
	"customer_name" text,
	"catalog_public_id" text,
	"payment_id" uuid,
	"receipt_ref" text,
	"recovery" jsonb,
	"recovered_from" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"location_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checkout_sessions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "checkout_sessions_known_buyer" CHECK (char_length("checkout_sessions"."customer_email") <= 254
      and ("checkout_sessions"."customer_name" is null or ("checkout_sessions"."customer_email" is not null and char_length("checkout_sessions"."customer_name") between 1 and 100))),
	CONSTRAINT "checkout_sessions_amount_not_negative" CHECK ("checkout_sessions"."amount_minor" >= 0),
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
	CONSTRAINT "checkout_sessions_ui_mode_known" CHECK ("checkout_sessions"."ui_mode" in ('hosted', 'embedded')),
	CONSTRAINT "checkout_sessions_completed" CHECK (("checkout_sessions"."status" = 'complete') = ("checkout_sessions"."completed_at" is not null)
          and ("checkout_sessions"."payment_id" is not null) = ("checkout_sessions"."status" = 'complete' and "checkout_sessions"."amount_minor" > 0)
          and ("checkout_sessions"."receipt_ref" is not null) = ("checkout_sessions"."status" = 'complete' and "checkout_sessions"."amount_minor" = 0)),
	CONSTRAINT "checkout_sessions_receipt_ref_form" CHECK ("checkout_sessions"."receipt_ref" ~ '^spcs_[a-z0-9]{32}$'),
	CONSTRAINT "checkout_sessions_code_tries" CHECK ("checkout_sessions"."code_tries" between 0 and 30),
	CONSTRAINT "checkout_sessions_lines_bounded" CHECK (jsonb_array_length("checkout_sessions"."lines") <= 100),
	CONSTRAINT "checkout_sessions_tip" CHECK ("checkout_sessions"."tip_minor" between 0 and "checkout_sessions"."amount_minor" and ("checkout_sessions"."tip_minor" = 0 or "checkout_sessions"."tip_options" is not null)),
	CONSTRAINT "checkout_sessions_shipping" CHECK ("checkout_sessions"."shipping_minor" between 0 and "checkout_sessions"."amount_minor" - "checkout_sessions"."tip_minor"
        and (case when "checkout_sessions"."shipping_options" = '[]' then "checkout_sessions"."shipping_at" is null and "checkout_sessions"."shipping_minor" = 0
          else "checkout_sessions"."shipping_minor" = ("checkout_sessions"."shipping_options"->"checkout_sessions"."shipping_at"->>'amount')::bigint end) is true),
	CONSTRAINT "checkout_sessions_discounts_bounded" CHECK (jsonb_array_length("checkout_sessions"."discounts") <= 6),
	CONSTRAINT "checkout_sessions_recovery_bounded" CHECK ("checkout_sessions"."recovery" is null or (("checkout_sessions"."recovery"->>'delay_minutes')::int between 0 and 1440
          and ("checkout_sessions"."recovery"->>'valid_hours')::int between 1 and 720) is true),
	CONSTRAINT "checkout_sessions_recovered_offers_none" CHECK ("checkout_sessions"."recovered_from" is null or "checkout_sessions"."recovery" is null)
);
--> statement-breakpoint
CREATE TABLE "checkout_settings" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"return_origins" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checkout_settings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "checkout_settings_return_origins_bounded" CHECK (cardinality("checkout_settings"."return_origins") <= 50)
);
--> statement-breakpoint
CREATE TABLE "customer_merges" (
	"tenant_id" uuid NOT NULL,
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
CREATE TABLE "customer_consents" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"mailbox" text,
	"label" text,
	"status" text NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_contacts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_contacts_kind_known" CHECK ("customer_contacts"."kind" in ('email', 'phone')),
	CONSTRAINT "customer_contacts_status_known" CHECK ("customer_contacts"."status" in ('active', 'removed')),
	CONSTRAINT "customer_contacts_value_form" CHECK ("customer_contacts"."status" = 'removed' or case "customer_contacts"."kind" when 'phone' then "customer_contacts"."value" ~ '^\+[1-9][0-9]{6,14}$' else "customer_contacts"."value" ~ '^[^A-Z@ ]+@[^A-Z@ ]+$' end),
	CONSTRAINT "customer_contacts_mailbox_known" CHECK ("customer_contacts"."kind" <> 'email' or "customer_contacts"."status" = 'removed' or "customer_contacts"."verified_at" is null or "customer_contacts"."mailbox" is not null)
);
--> statement-breakpoint
CREATE TABLE "customer_notes" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"term" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_terms_tenant_id_term_created_at_id_pk" PRIMARY KEY("tenant_id","term","created_at","id")
);
--> statement-breakpoint
CREATE TABLE "customer_timeline" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"source" text NOT NULL,
	"event_key" text NOT NULL,
	"resource_type" text NOT NULL,
	"type" text NOT NULL,
	"resource_id" text NOT NULL,
	"summary" jsonb NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_timeline_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_timeline_event_key" UNIQUE("tenant_id","source","event_key")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"tenant_id" uuid NOT NULL,
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
	"own_fields" jsonb,
	"erase_at" timestamp (3) with time zone,
	"erasure" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customers_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customers_erase_at" CHECK ("customers"."erase_at" is null or "customers"."status" = 'blocked'),
	CONSTRAINT "customers_erasure" CHECK ("customers"."erasure" is null or "customers"."status" in ('blocked', 'merged')),
	CONSTRAINT "customers_erased_is_empty" CHECK ("customers"."status" <> 'erased' or num_nonnulls("customers"."name", "customers"."email", "customers"."phone", "customers"."locale", "customers"."tax_profile", "customers"."external_id", "customers"."own_fields", "customers"."erasure") = 0 and "customers"."addresses" = '[]' and "customers"."metadata" = '{}' and "customers"."field_stamps" = '{}' and "customers"."tags" = '{}' and "customers"."terms" = '{}'),
	CONSTRAINT "customers_status_known" CHECK ("customers"."status" in ('active', 'blocked', 'merged', 'erased')),
	CONSTRAINT "customers_merged_into" CHECK (("customers"."status" = 'merged') = ("customers"."merged_into" is not null)),
	CONSTRAINT "customers_not_into_itself" CHECK ("customers"."merged_into" <> "customers"."id")
);
--> statement-breakpoint
CREATE TABLE "daily_spend" (
	"tenant_id" uuid NOT NULL,
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
CREATE TABLE "attestation_challenges" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"pairing" integer NOT NULL,
	"status" text NOT NULL,
	"digest" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "attestation_challenges_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "attestation_challenges_used_by" UNIQUE("tenant_id","id","device_id","pairing","used_at"),
	CONSTRAINT "attestation_challenges_status_known" CHECK ("attestation_challenges"."status" in ('issued', 'used', 'replaced')),
	CONSTRAINT "attestation_challenges_pairing_positive" CHECK ("attestation_challenges"."pairing" > 0),
	CONSTRAINT "attestation_challenges_digest_form" CHECK ("attestation_challenges"."digest" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "attestation_challenges_used" CHECK (("attestation_challenges"."status" = 'used') = ("attestation_challenges"."used_at" is not null)),
	CONSTRAINT "attestation_challenges_in_time" CHECK ("attestation_challenges"."used_at" < "attestation_challenges"."expires_at")
);
--> statement-breakpoint
CREATE TABLE "device_credentials" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"pairing" integer NOT NULL,
	"kid" text NOT NULL,
	"digest" text NOT NULL,
	"pepper_version" integer NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "device_credentials_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "device_credentials_pairing_positive" CHECK ("device_credentials"."pairing" > 0)
);
--> statement-breakpoint
CREATE TABLE "device_pairing_codes" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"status" text NOT NULL,
	"prefix" text NOT NULL,
	"digest" text NOT NULL,
	"pepper_version" integer NOT NULL,
	"tries_count" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "device_pairing_codes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "device_pairing_codes_status_known" CHECK ("device_pairing_codes"."status" in ('active', 'used', 'replaced', 'expired')),
	CONSTRAINT "device_pairing_codes_prefix_form" CHECK ("device_pairing_codes"."prefix" ~ '^[0-9A-Z]{4}$'),
	CONSTRAINT "device_pairing_codes_tries" CHECK ("device_pairing_codes"."tries_count" between 0 and 5)
);
--> statement-breakpoint
CREATE TABLE "device_places" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"account_id" uuid,
	"processor_ref" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "device_places_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "device_places_one" UNIQUE NULLS NOT DISTINCT("tenant_id","location_id","account_id"),
	CONSTRAINT "device_places_ref_length" CHECK (char_length("device_places"."processor_ref") between 1 and 80)
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"location_id" uuid NOT NULL,
	"terminal_configuration_id" uuid,
	"model" text,
	"serial_number" text,
	"software_version" text,
	"signing_key" text,
	"pairings_count" integer DEFAULT 0 NOT NULL,
	"paired_at" timestamp (3) with time zone,
	"last_seen_at" timestamp (3) with time zone,
	"processor_ref" text,
	"processor_account_id" uuid,
	"attestation_id" uuid,
	"attested_by" text,
	"attested_app" text,
	"attested_environment" text,
	"attested_at" timestamp (3) with time zone,
	"attested_until" timestamp (3) with time zone,
	"metadata" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "devices_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "devices_kind_of" UNIQUE("tenant_id","id","kind"),
	CONSTRAINT "devices_registration" CHECK (("devices"."processor_ref" is null or ("devices"."kind" = 'reader' and "devices"."status" = 'paired')) and ("devices"."processor_account_id" is null or "devices"."processor_ref" is not null)),
	CONSTRAINT "devices_processor_ref_length" CHECK (char_length("devices"."processor_ref") between 1 and 80),
	CONSTRAINT "devices_attested" CHECK (num_nonnulls("devices"."attestation_id", "devices"."attested_by", "devices"."attested_app", "devices"."attested_environment", "devices"."attested_at", "devices"."attested_until") in (0, 6)
          and "devices"."attested_until" <= "devices"."attested_at" + interval '720 hours'
          and ("devices"."attestation_id" is null or ("devices"."kind" = 'phone' and "devices"."status" = 'paired'))),
	CONSTRAINT "devices_kind_known" CHECK ("devices"."kind" in ('reader', 'phone', 'register')),
	CONSTRAINT "devices_status_known" CHECK ("devices"."status" in ('unpaired', 'paired', 'disabled')),
	CONSTRAINT "devices_configured_kinds" CHECK ("devices"."kind" <> 'register' or "devices"."terminal_configuration_id" is null),
	CONSTRAINT "devices_name_length" CHECK (char_length("devices"."name") between 1 and 120),
	CONSTRAINT "devices_paired_once" CHECK (("devices"."status" = 'paired') = ("devices"."paired_at" is not null)),
	CONSTRAINT "devices_pairings_counted" CHECK ("devices"."status" <> 'paired' or "devices"."pairings_count" > 0),
	CONSTRAINT "devices_model_length" CHECK (char_length("devices"."model") between 1 and 80),
	CONSTRAINT "devices_serial_length" CHECK (char_length("devices"."serial_number") between 1 and 80),
	CONSTRAINT "devices_signing_key_form" CHECK ("devices"."signing_key" ~ '^[A-Za-z0-9_-]{87}$'),
	CONSTRAINT "devices_software_length" CHECK (char_length("devices"."software_version") between 1 and 80)
);
--> statement-breakpoint
CREATE TABLE "phone_attestations" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"pairing" integer NOT NULL,
	"challenge_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"app" text NOT NULL,
	"failure" text,
	"environment" text,
	"public_key" text,
	"key_digest" text,
	"sign_count" integer,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "phone_attestations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "phone_attestations_shown" UNIQUE("tenant_id","id","device_id","pairing","provider","app","environment","created_at"),
	CONSTRAINT "phone_attestations_provider_known" CHECK ("phone_attestations"."provider" in ('app_attest', 'play_integrity', 'sandbox')),
	CONSTRAINT "phone_attestations_failure_known" CHECK ("phone_attestations"."failure" in ('malformed', 'wrong_nonce', 'untrusted_chain', 'expired_certificate', 'wrong_signature', 'wrong_key', 'wrong_app', 'wrong_certificate', 'wrong_counter', 'wrong_environment', 'unrecognized_app', 'unverified_device', 'too_old')),
	CONSTRAINT "phone_attestations_environment_known" CHECK ("phone_attestations"."environment" in ('production', 'development')),
	CONSTRAINT "phone_attestations_app_length" CHECK (char_length("phone_attestations"."app") between 1 and 255),
	CONSTRAINT "phone_attestations_verified" CHECK (num_nonnulls("phone_attestations"."environment", "phone_attestations"."expires_at") = case when "phone_attestations"."failure" is null then 2 else 0 end),
	CONSTRAINT "phone_attestations_key" CHECK (case when "phone_attestations"."failure" is not null or "phone_attestations"."provider" = 'play_integrity' then num_nonnulls("phone_attestations"."public_key", "phone_attestations"."key_digest") = 0
          else "phone_attestations"."public_key" ~ '^[A-Za-z0-9_-]{87}$' and "phone_attestations"."key_digest" ~ '^[0-9a-f]{64}$' end is true),
	CONSTRAINT "phone_attestations_counted" CHECK (("phone_attestations"."sign_count" is not null) = ("phone_attestations"."failure" is null and "phone_attestations"."provider" = 'app_attest') and coalesce("phone_attestations"."sign_count", 0) >= 0),
	CONSTRAINT "phone_attestations_time" CHECK ("phone_attestations"."expires_at" <= "phone_attestations"."created_at" + interval '720 hours')
);
--> statement-breakpoint
CREATE TABLE "catalog_categories" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"catalog_id" uuid NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_categories_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "catalog_categories_of_catalog" UNIQUE("tenant_id","catalog_id","id"),
	CONSTRAINT "catalog_categories_status_known" CHECK ("catalog_categories"."status" in ('active', 'archived'))
);
--> statement-breakpoint
CREATE TABLE "catalog_images" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_images_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "catalog_images_status_known" CHECK ("catalog_images"."status" in ('uploading', 'stored', 'retired', 'removing', 'removed')),
	CONSTRAINT "catalog_images_address_form" CHECK ("catalog_images"."address" ~ '^[a-z0-9]{32}$'),
	CONSTRAINT "catalog_images_removal" CHECK (("catalog_images"."remove_at" is null) = ("catalog_images"."status" in ('stored', 'removed')))
);
--> statement-breakpoint
CREATE TABLE "catalog_item_terms" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"catalog_id" uuid NOT NULL,
	"term" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_item_terms_tenant_id_catalog_id_term_created_at_id_pk" PRIMARY KEY("tenant_id","catalog_id","term","created_at","id")
);
--> statement-breakpoint
CREATE TABLE "catalog_items" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"catalog_id" uuid NOT NULL,
	"status" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"sku" text,
	"barcode" text,
	"barcode_key" text,
	"measure_unit" text,
	"modifiers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"category_id" uuid,
	"position" integer DEFAULT 0 NOT NULL,
	"variant_of" uuid,
	"option_values" jsonb,
	"options" jsonb NOT NULL,
	"components" jsonb NOT NULL,
	"iva_rate" text NOT NULL,
	"price_includes_tax" boolean NOT NULL,
	"sat_product_code" text,
	"sat_unit_code" text,
	"tracks_stock" boolean NOT NULL,
	"keys" text,
	"downloads_max" integer,
	"access_days" integer,
	"revocation_policy" text NOT NULL,
	"sold_quantity_max" integer,
	"images" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"metadata" jsonb NOT NULL,
	"terms" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_items_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "catalog_items_of_catalog" UNIQUE("tenant_id","catalog_id","id"),
	CONSTRAINT "catalog_items_status_known" CHECK ("catalog_items"."status" in ('active', 'inactive', 'archived')),
	CONSTRAINT "catalog_items_kind_known" CHECK ("catalog_items"."kind" in ('file', 'license_key', 'access', 'voucher', 'service', 'physical_count', 'bundle')),
	CONSTRAINT "catalog_items_iva_rate_known" CHECK ("catalog_items"."iva_rate" in ('16', '8', '0', 'exempt')),
	CONSTRAINT "catalog_items_revocation_policy_known" CHECK ("catalog_items"."revocation_policy" in ('full_refund', 'any_refund', 'never')),
	CONSTRAINT "catalog_items_keys_known" CHECK ("catalog_items"."keys" in ('pool', 'generated')),
	CONSTRAINT "catalog_items_keys_of_kind" CHECK (("catalog_items"."kind" = 'license_key') = ("catalog_items"."keys" is not null)),
	CONSTRAINT "catalog_items_downloads_max" CHECK ("catalog_items"."downloads_max" is null or "catalog_items"."kind" = 'file'),
	CONSTRAINT "catalog_items_sat_product_code_form" CHECK ("catalog_items"."sat_product_code" ~ '^[0-9]{8}$'),
	CONSTRAINT "catalog_items_sat_unit_code_form" CHECK ("catalog_items"."sat_unit_code" ~ '^[A-Z0-9]{2,3}$'),
	CONSTRAINT "catalog_items_positive" CHECK (least("catalog_items"."downloads_max", "catalog_items"."access_days", "catalog_items"."sold_quantity_max") > 0),
	CONSTRAINT "catalog_items_variant" CHECK (("catalog_items"."variant_of" is null) = ("catalog_items"."option_values" is null) and ("catalog_items"."variant_of" is null or "catalog_items"."options" = '[]')),
	CONSTRAINT "catalog_items_bundle" CHECK (case when "catalog_items"."kind" = 'bundle' then jsonb_array_length("catalog_items"."components") between 2 and 20 and "catalog_items"."options" = '[]' and not "catalog_items"."tracks_stock" else "catalog_items"."components" = '[]' end),
	CONSTRAINT "catalog_items_barcode_form" CHECK ("catalog_items"."barcode" ~ '^[0-9A-Za-z._-]{4,48}$' and "catalog_items"."barcode" ~ '[^0]'),
	CONSTRAINT "catalog_items_barcode_key" CHECK ("catalog_items"."barcode_key" is not distinct from ltrim("catalog_items"."barcode", '0')),
	CONSTRAINT "catalog_items_modifiers_form" CHECK (not jsonb_path_exists("catalog_items"."modifiers", '$[*] ? (!(@.name like_regex "." && @.choices_min >= 0
          && @.choices_max >= @.choices_min && @.choices.size() >= @.choices_max))')
          and not jsonb_path_exists("catalog_items"."modifiers", '$[*].choices[*] ? (!(@.name like_regex "." && @.amount like_regex "^[0-9]{1,12}$"))')),
	CONSTRAINT "catalog_items_parent_is_not_made_up" CHECK ("catalog_items"."options" = '[]' or "catalog_items"."modifiers" = '[]' and "catalog_items"."measure_unit" is null),
	CONSTRAINT "catalog_items_measure_unit_known" CHECK ("catalog_items"."measure_unit" in ('kg', 'g', 'l', 'ml', 'm', 'cm', 'm2', 'h')),
	CONSTRAINT "catalog_items_measured" CHECK ("catalog_items"."measure_unit" is null or "catalog_items"."kind" in ('physical_count', 'service') and not "catalog_items"."tracks_stock"),
	CONSTRAINT "catalog_items_modifiers_max" CHECK (jsonb_array_length("catalog_items"."modifiers") <= 10),
	CONSTRAINT "catalog_items_position" CHECK ("catalog_items"."position" between 0 and 1000000),
	CONSTRAINT "catalog_items_images_max" CHECK (jsonb_array_length("catalog_items"."images") <= 8),
	CONSTRAINT "catalog_items_parent_has_no_stock" CHECK ("catalog_items"."options" = '[]' or not "catalog_items"."tracks_stock")
);
--> statement-breakpoint
CREATE TABLE "catalog_prices" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"location_id" uuid,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"compare_at_minor" bigint,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_prices_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "catalog_prices_amount_bounded" CHECK ("catalog_prices"."amount_minor" between 0 and 999999999999),
	CONSTRAINT "catalog_prices_compare_at" CHECK ("catalog_prices"."compare_at_minor" > "catalog_prices"."amount_minor"),
	CONSTRAINT "catalog_prices_compare_at_bounded" CHECK ("catalog_prices"."compare_at_minor" <= 999999999999),
	CONSTRAINT "catalog_prices_currency_form" CHECK ("catalog_prices"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "catalog_prices_ends_after_start" CHECK ("catalog_prices"."ends_at" >= "catalog_prices"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "digital_catalogs" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"currency" text NOT NULL,
	"payment_method_types" text[],
	"installment_months" integer[] DEFAULT '{}' NOT NULL,
	"location_id" uuid,
	"listed_in_search" boolean DEFAULT false NOT NULL,
	"metadata" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "digital_catalogs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "digital_catalogs_of_tenant" UNIQUE("tenant_id","public_id"),
	CONSTRAINT "digital_catalogs_methods_some" CHECK (cardinality("digital_catalogs"."payment_method_types") >= 1),
	CONSTRAINT "digital_catalogs_cash_in_mxn" CHECK ("digital_catalogs"."currency" = 'mxn' or not ("digital_catalogs"."payment_method_types" && array['oxxo', 'spei'])),
	CONSTRAINT "digital_catalogs_installments_bounded" CHECK (cardinality("digital_catalogs"."installment_months") <= 12),
	CONSTRAINT "digital_catalogs_public_id_form" CHECK ("digital_catalogs"."public_id" ~ '^scat_[a-z0-9]{32}$'),
	CONSTRAINT "digital_catalogs_status_known" CHECK ("digital_catalogs"."status" in ('draft', 'published', 'archived')),
	CONSTRAINT "digital_catalogs_currency_form" CHECK ("digital_catalogs"."currency" ~ '^[a-z]{3}$')
);
--> statement-breakpoint
CREATE TABLE "discount_uses" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"discount_id" uuid NOT NULL,
	"session_id" uuid,
	"payment_id" uuid,
	"customer_id" uuid,
	"attempt_id" uuid,
	"status" text NOT NULL,
	"is_counted" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "discount_uses_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "discount_uses_of_one" CHECK (num_nonnulls("discount_uses"."session_id", "discount_uses"."payment_id") = 1),
	CONSTRAINT "discount_uses_status_known" CHECK ("discount_uses"."status" in ('held', 'committed', 'released')),
	CONSTRAINT "discount_uses_held_counted" CHECK (case "discount_uses"."status" when 'held' then "discount_uses"."is_counted" when 'released' then not "discount_uses"."is_counted" else true end),
	CONSTRAINT "discount_uses_without_attempt" CHECK ("discount_uses"."attempt_id" is not null or ("discount_uses"."status" = 'committed' and "discount_uses"."session_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "discounts" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"is_active" boolean NOT NULL,
	"amount_off_minor" bigint,
	"percent_off_bps" integer,
	"currency" text,
	"subtotal_minor_min" bigint,
	"uses_max" integer,
	"uses_per_customer_max" integer,
	"uses" integer NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "discounts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "discounts_code_form" CHECK ("discounts"."code" ~ '^[A-Z0-9][A-Z0-9_-]{2,39}$'),
	CONSTRAINT "discounts_one_kind" CHECK (("discounts"."amount_off_minor" is null) <> ("discounts"."percent_off_bps" is null)),
	CONSTRAINT "discounts_amount_positive" CHECK ("discounts"."amount_off_minor" between 1 and 999999999999),
	CONSTRAINT "discounts_percent_bounds" CHECK ("discounts"."percent_off_bps" between 1 and 10000),
	CONSTRAINT "discounts_subtotal_bounds" CHECK ("discounts"."subtotal_minor_min" between 1 and 999999999999),
	CONSTRAINT "discounts_currency" CHECK (("discounts"."currency" is null) = ("discounts"."amount_off_minor" is null and "discounts"."subtotal_minor_min" is null)
          and "discounts"."currency" ~ '^[a-z]{3}$' is not false),
	CONSTRAINT "discounts_uses_counted" CHECK ("discounts"."uses" >= 0),
	CONSTRAINT "discounts_uses_bounded" CHECK ("discounts"."uses" <= "discounts"."uses_max"),
	CONSTRAINT "discounts_uses_per_customer" CHECK ("discounts"."uses_per_customer_max" >= 1),
	CONSTRAINT "discounts_time" CHECK ("discounts"."ends_at" > "discounts"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "dispute_files" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"dispute_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"processor_ref" text,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dispute_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "dispute_files_status_known" CHECK ("dispute_files"."status" in ('uploading', 'stored', 'removing', 'removed')),
	CONSTRAINT "dispute_files_address_form" CHECK ("dispute_files"."address" ~ '^[a-z0-9]{32}$'),
	CONSTRAINT "dispute_files_removal" CHECK (("dispute_files"."remove_at" is null) = ("dispute_files"."status" in ('removed'))),
	CONSTRAINT "dispute_files_type_known" CHECK ("dispute_files"."content_type" in ('application/pdf', 'image/png', 'image/jpeg')),
	CONSTRAINT "dispute_files_bytes_bounds" CHECK ("dispute_files"."bytes" between 1 and 4500000),
	CONSTRAINT "dispute_files_told_stored" CHECK ("dispute_files"."processor_ref" is null or "dispute_files"."status" <> 'uploading')
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"customer_id" uuid,
	"status" text NOT NULL,
	"processor" text NOT NULL,
	"processor_ref" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"held_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"fee_iva_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"evidence_files" jsonb NOT NULL,
	"round" integer NOT NULL,
	"evidence_due_by" timestamp (3) with time zone,
	"evidence_submitted_at" timestamp (3) with time zone,
	"pending_action" text,
	"evidence_failure" text,
	"next_check_at" timestamp (3) with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "disputes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "disputes_status_known" CHECK ("disputes"."status" in ('needs_response', 'under_review', 'won', 'lost', 'inquiry_needs_response', 'inquiry_under_review', 'inquiry_closed')),
	CONSTRAINT "disputes_round_counted" CHECK ("disputes"."round" > 0),
	CONSTRAINT "disputes_held_bounds" CHECK ("disputes"."held_minor" between 0 and "disputes"."amount_minor" and "disputes"."amount_minor" > 0),
	CONSTRAINT "disputes_pending_action_known" CHECK ("disputes"."pending_action" in ('submit', 'draft', 'accept')),
	CONSTRAINT "disputes_evidence_failure_known" CHECK ("disputes"."evidence_failure" in ('too_long', 'file_refused', 'refused')),
	CONSTRAINT "disputes_pending_action_asked" CHECK (case "disputes"."pending_action" when 'accept' then "disputes"."status" = 'needs_response'
        else "disputes"."pending_action" is null or "disputes"."status" in ('needs_response', 'inquiry_needs_response') end),
	CONSTRAINT "disputes_inquiry_holds_nothing" CHECK ("disputes"."status" not like 'inquiry%' or "disputes"."held_minor" = 0),
	CONSTRAINT "disputes_fee_until_won" CHECK (0 <= "disputes"."fee_iva_minor" and "disputes"."fee_iva_minor" <= "disputes"."fee_minor" and (("disputes"."status" <> 'won' and "disputes"."status" not like 'inquiry%') or "disputes"."fee_minor" = 0))
);
--> statement-breakpoint
CREATE TABLE "door_event_types" (
	"type" text PRIMARY KEY NOT NULL,
	"scopes" text[] NOT NULL
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
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"failures_count" integer NOT NULL,
	"next_try_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "due_failures_job_tenant_id_id_pk" PRIMARY KEY("job","tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_claims" (
	"tenant_id" uuid NOT NULL,
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
CREATE TABLE "delivered_files" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"name" text NOT NULL,
	"bytes" integer NOT NULL,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "delivered_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "delivered_files_status_known" CHECK ("delivered_files"."status" in ('uploading', 'stored', 'retired', 'removing', 'removed')),
	CONSTRAINT "delivered_files_address_form" CHECK ("delivered_files"."address" ~ '^[a-z0-9]{32}$'),
	CONSTRAINT "delivered_files_removal" CHECK (("delivered_files"."remove_at" is null) = ("delivered_files"."status" in ('stored', 'removed'))),
	CONSTRAINT "delivered_files_bytes_some" CHECK ("delivered_files"."bytes" > 0)
);
--> statement-breakpoint
CREATE TABLE "entitlement_downloads" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entitlement_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"downloads_max" integer,
	"downloads_count" integer NOT NULL,
	CONSTRAINT "entitlement_downloads_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "entitlement_downloads_bounded" CHECK ("entitlement_downloads"."downloads_count" between 1 and coalesce("entitlement_downloads"."downloads_max", 2147483647))
);
--> statement-breakpoint
CREATE TABLE "entitlements" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"item_id" uuid NOT NULL,
	"payment_id" uuid,
	"checkout_session_id" uuid,
	"kind" text NOT NULL,
	"number" integer NOT NULL,
	"revocation_policy" text NOT NULL,
	"downloads_max" integer,
	"downloads_count" integer NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"code_from" text,
	"code_ciphertext" text,
	"code_digest" text,
	"code_last4" text,
	"ready_at" timestamp (3) with time zone,
	"redeemed_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"revoked_because" text,
	"announced" text,
	"announced_revoked_at" timestamp (3) with time zone,
	"announced_revoked_because" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "entitlements_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "entitlements_granted_once" CHECK (num_nonnulls("entitlements"."payment_id", "entitlements"."checkout_session_id") = 1),
	CONSTRAINT "entitlements_status_known" CHECK ("entitlements"."status" in ('pending', 'active', 'revoked')),
	CONSTRAINT "entitlements_kind_known" CHECK ("entitlements"."kind" in ('file', 'license_key', 'access', 'voucher')),
	CONSTRAINT "entitlements_revocation_policy_known" CHECK ("entitlements"."revocation_policy" in ('full_refund', 'any_refund', 'never')),
	CONSTRAINT "entitlements_code_from_known" CHECK ("entitlements"."code_from" in ('pool', 'generated')),
	CONSTRAINT "entitlements_revoked_because_known" CHECK ("entitlements"."revoked_because" in ('refund', 'dispute', 'merchant')),
	CONSTRAINT "entitlements_announced_known" CHECK ("entitlements"."announced" in ('pending', 'active', 'revoked')),
	CONSTRAINT "entitlements_announced_because_known" CHECK ("entitlements"."announced_revoked_because" in ('refund', 'dispute', 'merchant')),
	CONSTRAINT "entitlements_number_counted" CHECK ("entitlements"."number" > 0),
	CONSTRAINT "entitlements_downloads_counted" CHECK ("entitlements"."downloads_count" >= 0),
	CONSTRAINT "entitlements_ready" CHECK (case "entitlements"."status" when 'pending' then "entitlements"."ready_at" is null when 'active' then "entitlements"."ready_at" is not null else true end),
	CONSTRAINT "entitlements_code_parts" CHECK (num_nonnulls("entitlements"."code_ciphertext", "entitlements"."code_digest") = case when "entitlements"."code_from" = 'generated' and "entitlements"."ready_at" is not null then 2 else 0 end),
	CONSTRAINT "entitlements_revoked" CHECK (("entitlements"."status" = 'revoked') = ("entitlements"."revoked_at" is not null) and ("entitlements"."status" = 'revoked') = ("entitlements"."revoked_because" is not null)),
	CONSTRAINT "entitlements_redeemed" CHECK ("entitlements"."redeemed_at" is null or "entitlements"."kind" = 'voucher' and "entitlements"."ready_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "license_keys" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"status" text NOT NULL,
	"ciphertext" text NOT NULL,
	"digest" text NOT NULL,
	"last4" text NOT NULL,
	"entitlement_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "license_keys_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "license_keys_status_known" CHECK ("license_keys"."status" in ('available', 'assigned', 'withdrawn')),
	CONSTRAINT "license_keys_assigned" CHECK (("license_keys"."status" = 'assigned') = ("license_keys"."entitlement_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"api_version" text DEFAULT '2026-06-13' NOT NULL,
	"resource_type" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"object" jsonb NOT NULL,
	"previous_attributes" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"commit_order" bigint DEFAULT 0 NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "events_resource_sequence" UNIQUE("tenant_id","resource_id","sequence"),
	CONSTRAINT "events_tell_no_account" CHECK (not (object -> 'destination' ? 'clabe') and not (previous_attributes -> 'destination' ? 'clabe')
        and (resource_type not in ('bank_account', 'payout_settings')
          or object::text || previous_attributes::text !~ '[0-9]{18}'))
);
--> statement-breakpoint
CREATE TABLE "fraud_warnings" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"processor" text NOT NULL,
	"processor_ref" text NOT NULL,
	"fraud_type" text NOT NULL,
	"actionable" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "fraud_warnings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "connection_tokens" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"pairing" integer NOT NULL,
	"status" text NOT NULL,
	"digest" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"redeemed_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connection_tokens_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "connection_tokens_status_known" CHECK ("connection_tokens"."status" in ('issued', 'redeemed', 'replaced')),
	CONSTRAINT "connection_tokens_pairing_positive" CHECK ("connection_tokens"."pairing" > 0),
	CONSTRAINT "connection_tokens_digest_form" CHECK ("connection_tokens"."digest" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "connection_tokens_redeemed" CHECK (("connection_tokens"."status" = 'redeemed') = ("connection_tokens"."redeemed_at" is not null)),
	CONSTRAINT "connection_tokens_in_time" CHECK ("connection_tokens"."redeemed_at" < "connection_tokens"."expires_at")
);
--> statement-breakpoint
CREATE TABLE "in_person_payments" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"device_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"installment_months" integer NOT NULL,
	"description" text,
	"client_reference_id" text,
	"metadata" jsonb NOT NULL,
	"waiter_id" uuid,
	"terms_version" integer DEFAULT 1 NOT NULL,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"location_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "in_person_payments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "in_person_payments_public_id_form" CHECK ("in_person_payments"."public_id" ~ '^sinp_[a-z0-9]{32}$'),
	CONSTRAINT "in_person_payments_amount" CHECK ("in_person_payments"."amount_minor" between 1 and 999999999999),
	CONSTRAINT "in_person_payments_currency_form" CHECK ("in_person_payments"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "in_person_payments_tips_in_pesos" CHECK ("in_person_payments"."waiter_id" is null or "in_person_payments"."currency" = 'mxn'),
	CONSTRAINT "in_person_payments_months" CHECK ("in_person_payments"."installment_months" between 1 and 60)
);
--> statement-breakpoint
CREATE TABLE "reader_actions" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"reader_id" uuid NOT NULL,
	"device_kind" text NOT NULL,
	"pairing" integer NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"in_person_payment_id" uuid,
	"payment_id" uuid,
	"tip_action_id" uuid,
	"offers" jsonb,
	"chosen" text,
	"tip_minor" bigint,
	"inputs" jsonb,
	"answers" jsonb,
	"cart" jsonb,
	"paper" text,
	"locale" text,
	"session_id" uuid,
	"failure_code" text,
	"step" text,
	"reported_as" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"answers_until" timestamp (3) with time zone,
	"announced_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reader_actions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "reader_actions_type_known" CHECK ("reader_actions"."type" in ('process_payment', 'collect_tip', 'collect_input', 'display', 'print', 'ping')),
	CONSTRAINT "reader_actions_kind_known" CHECK ("reader_actions"."device_kind" in ('reader', 'phone')),
	CONSTRAINT "reader_actions_of_type" CHECK (("reader_actions"."payment_id" is not null) = ("reader_actions"."type" = 'process_payment')
          and ("reader_actions"."in_person_payment_id" is not null) = ("reader_actions"."type" in ('process_payment', 'print'))
          and ("reader_actions"."offers" is not null) = ("reader_actions"."type" = 'collect_tip')
          and ("reader_actions"."inputs" is not null) = ("reader_actions"."type" = 'collect_input') and ("reader_actions"."inputs" is null or jsonb_array_length("reader_actions"."inputs") between 1 and 5)
          and num_nonnulls("reader_actions"."paper", "reader_actions"."locale") = case "reader_actions"."type" when 'print' then 2 else 0 end
          and ("reader_actions"."cart" is null or ("reader_actions"."type" = 'display' and jsonb_array_length("reader_actions"."cart"->'line_items') between 1 and 50))
          and ("reader_actions"."tip_action_id" is null or "reader_actions"."type" = 'process_payment')),
	CONSTRAINT "reader_actions_of_readers" CHECK ("reader_actions"."device_kind" = 'reader' or "reader_actions"."type" in ('process_payment', 'collect_tip')),
	CONSTRAINT "reader_actions_at_device" CHECK ("reader_actions"."type" = 'process_payment' or ("reader_actions"."status" <> 'unknown' and ("reader_actions"."status" <> 'succeeded' or "reader_actions"."ended_at" <= "reader_actions"."expires_at"))),
	CONSTRAINT "reader_actions_chosen" CHECK (num_nonnulls("reader_actions"."chosen", "reader_actions"."tip_minor") = case when "reader_actions"."type" = 'collect_tip' and "reader_actions"."status" = 'succeeded' then 2 else 0 end),
	CONSTRAINT "reader_actions_offered" CHECK ("reader_actions"."chosen" is null or ("reader_actions"."tip_minor" between 0 and ("reader_actions"."offers"->>'amount')::bigint and case "reader_actions"."chosen"
          when 'preset' then "reader_actions"."offers" @> jsonb_build_object('presets', jsonb_build_array(jsonb_build_object('amount', "reader_actions"."tip_minor"::text)))
          when 'other' then "reader_actions"."offers" @> '{"allows_other": true}' and "reader_actions"."tip_minor" > 0
          when 'none' then "reader_actions"."offers" @> '{"allows_none": true}' and "reader_actions"."tip_minor" = 0 end) is true),
	CONSTRAINT "reader_actions_chosen_known" CHECK ("reader_actions"."chosen" in ('preset', 'other', 'none')),
	CONSTRAINT "reader_actions_answers" CHECK (("reader_actions"."answers_until" is not null) = ("reader_actions"."type" = 'collect_input' and "reader_actions"."status" = 'succeeded')
          and "reader_actions"."answers_until" <= "reader_actions"."ended_at" + interval '24 hours'
          and case when "reader_actions"."answers" is not null then "reader_actions"."answers_until" is not null and jsonb_array_length("reader_actions"."answers") = jsonb_array_length("reader_actions"."inputs")
            else "reader_actions"."answers_until" is null or "reader_actions"."updated_at" >= "reader_actions"."answers_until" end),
	CONSTRAINT "reader_actions_paper_known" CHECK ("reader_actions"."paper" in ('80mm', '58mm')),
	CONSTRAINT "reader_actions_locale_known" CHECK ("reader_actions"."locale" in ('es-MX', 'en')),
	CONSTRAINT "reader_actions_phone" CHECK (("reader_actions"."device_kind" = 'phone') = ("reader_actions"."session_id" is not null)),
	CONSTRAINT "reader_actions_status_known" CHECK ("reader_actions"."status" in ('in_progress', 'unknown', 'succeeded', 'failed', 'canceled', 'timed_out')),
	CONSTRAINT "reader_actions_step_known" CHECK ("reader_actions"."step" in ('received', 'waiting_for_card', 'reading_card')),
	CONSTRAINT "reader_actions_reported_known" CHECK ("reader_actions"."reported_as" in ('completed', 'failed')),
	CONSTRAINT "reader_actions_pairing_positive" CHECK ("reader_actions"."pairing" > 0),
	CONSTRAINT "reader_actions_failure_known" CHECK ("reader_actions"."failure_code" in ('insufficient_funds', 'card_declined', 'expired_card', 'suspected_fraud', 'authentication_failed', 'processing_error', 'blocked', 'reader_offline', 'reader_busy', 'reader_not_registered', 'reader_failed')),
	CONSTRAINT "reader_actions_failed" CHECK ("reader_actions"."failure_code" is null or "reader_actions"."status" = case when "reader_actions"."payment_id" is not null and "reader_actions"."failure_code" in ('reader_offline', 'reader_busy', 'reader_not_registered', 'reader_failed') then 'canceled' else 'failed' end),
	CONSTRAINT "reader_actions_ended" CHECK (("reader_actions"."ended_at" is null) = ("reader_actions"."status" in ('in_progress', 'unknown'))),
	CONSTRAINT "reader_actions_deadline" CHECK ("reader_actions"."expires_at" <= "reader_actions"."created_at" + interval '5 minutes')
);
--> statement-breakpoint
CREATE TABLE "tap_sessions" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"pairing" integer NOT NULL,
	"connection_token_id" uuid NOT NULL,
	"account_id" uuid,
	"status" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tap_sessions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "tap_sessions_status_known" CHECK ("tap_sessions"."status" in ('open', 'ended')),
	CONSTRAINT "tap_sessions_pairing_positive" CHECK ("tap_sessions"."pairing" > 0),
	CONSTRAINT "tap_sessions_ended" CHECK (("tap_sessions"."status" = 'ended') = ("tap_sessions"."ended_at" is not null)),
	CONSTRAINT "tap_sessions_time" CHECK ("tap_sessions"."expires_at" <= "tap_sessions"."created_at" + interval '12 hours')
);
--> statement-breakpoint
CREATE TABLE "insight_hours" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"begins_at" timestamp (3) with time zone NOT NULL,
	"payments_count" integer DEFAULT 0 NOT NULL,
	"decided_count" integer DEFAULT 0 NOT NULL,
	"declined_count" integer DEFAULT 0 NOT NULL,
	"refunds_count" integer DEFAULT 0 NOT NULL,
	"disputes_count" integer DEFAULT 0 NOT NULL,
	"payouts_failed_count" integer DEFAULT 0 NOT NULL,
	"deliveries_count" integer DEFAULT 0 NOT NULL,
	"deliveries_failed_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "insight_hours_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "insight_hours_whole" CHECK ("insight_hours"."begins_at" = date_trunc('hour', "insight_hours"."begins_at", 'UTC')),
	CONSTRAINT "insight_hours_counts" CHECK (least("insight_hours"."payments_count", "insight_hours"."declined_count", "insight_hours"."refunds_count", "insight_hours"."disputes_count", "insight_hours"."payouts_failed_count", "insight_hours"."deliveries_failed_count") >= 0
        and "insight_hours"."declined_count" <= "insight_hours"."decided_count" and "insight_hours"."decided_count" <= "insight_hours"."payments_count" and "insight_hours"."deliveries_failed_count" <= "insight_hours"."deliveries_count")
);
--> statement-breakpoint
CREATE TABLE "insight_watches" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"counted_since" timestamp (3) with time zone NOT NULL,
	"counted_to" timestamp (3) with time zone NOT NULL,
	"active_to" timestamp (3) with time zone,
	"seen" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"next_check_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insight_watches_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "insights" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"kind" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"answered_by_user_id" text,
	"answered_by_email" text,
	"ended_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "insights_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "insights_status_known" CHECK ("insights"."status" in ('open', 'acknowledged', 'dismissed', 'resolved')),
	CONSTRAINT "insights_kind_known" CHECK ("insights"."kind" in ('payments_few', 'payments_many', 'cards_declined', 'refunds_many', 'disputes_many', 'payouts_failed', 'webhooks_failed')),
	CONSTRAINT "insights_ended" CHECK ("insights"."status" in ('resolved', 'dismissed') = ("insights"."ended_at" is not null)),
	CONSTRAINT "insights_answered" CHECK (("insights"."answered_by_user_id" is null) = ("insights"."answered_by_email" is null)
        and ("insights"."status" not in ('acknowledged', 'dismissed') or "insights"."answered_by_user_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "balance_activity" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"currency" text NOT NULL,
	"source_type" text NOT NULL,
	"source_id" uuid NOT NULL,
	"entry_kind" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"payout_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"commit_order" bigint DEFAULT 0 NOT NULL,
	"booked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "balance_activity_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"tenant_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"code" text NOT NULL,
	"balance_minor" bigint NOT NULL,
	CONSTRAINT "ledger_accounts_tenant_id_currency_code_pk" PRIMARY KEY("tenant_id","currency","code"),
	CONSTRAINT "ledger_accounts_currency_form" CHECK ("ledger_accounts"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "ledger_accounts_code_known" CHECK ("ledger_accounts"."code" in ('processor_clearing', 'merchant_pending', 'merchant_available', 'merchant_reserve', 'fee_expense', 'iva_on_fees', 'refunds_in_flight', 'dispute_hold', 'transfers_in_flight', 'payouts_in_flight', 'unapplied_funds', 'buyer_overdrafts', 'tips_owed') or "ledger_accounts"."code" ~ '^waiter:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
	CONSTRAINT "ledger_accounts_bounds" CHECK (abs("ledger_accounts"."balance_minor") <= 999999999999999999),
	CONSTRAINT "ledger_accounts_not_negative" CHECK ("ledger_accounts"."code" in ('processor_clearing', 'merchant_available', 'fee_expense', 'iva_on_fees', 'buyer_overdrafts', 'tips_owed')
        or "ledger_accounts"."code" like 'waiter:%' or "ledger_accounts"."balance_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_journals" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source_type" text NOT NULL,
	"source_id" uuid NOT NULL,
	"entry_kind" text NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"commit_order" bigint DEFAULT 0 NOT NULL,
	"booked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_journals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "ledger_journals_once" UNIQUE("tenant_id","source_type","source_id","entry_kind","round")
);
--> statement-breakpoint
CREATE TABLE "ledger_postings" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"address" jsonb,
	"time_zone" text NOT NULL,
	"phone" text,
	"currency" text NOT NULL,
	"terminal_configuration_id" uuid,
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
CREATE TABLE "logos" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "logos_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "logos_status_known" CHECK ("logos"."status" in ('uploading', 'stored', 'retired', 'removing', 'removed')),
	CONSTRAINT "logos_address_form" CHECK ("logos"."address" ~ '^[a-z0-9]{32}$'),
	CONSTRAINT "logos_removal" CHECK (("logos"."remove_at" is null) = ("logos"."status" in ('stored', 'removed')))
);
--> statement-breakpoint
CREATE TABLE "mail_notices" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"status" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mail_notices_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "mail_notices_kind_known" CHECK ("mail_notices"."kind" in ('api_key_created', 'api_key_revoked', 'bank_account_added', 'logo_changed', 'member_joined', 'member_removed', 'payout_failed', 'payout_returned', 'report_paused', 'webhook_endpoint_disabled', 'workspace_decided', 'workspace_details')),
	CONSTRAINT "mail_notices_status_known" CHECK ("mail_notices"."status" in ('waiting', 'handed_over')),
	CONSTRAINT "mail_notices_forget_data" CHECK ("mail_notices"."status" = 'waiting' or "mail_notices"."data" = '{}')
);
--> statement-breakpoint
CREATE TABLE "mail_suppressions" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"recipient_digest" text NOT NULL,
	"kind" text NOT NULL,
	"payment_id" uuid,
	"contact_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mail_suppressions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "mail_suppressions_status_known" CHECK ("mail_suppressions"."status" in ('active', 'lifted')),
	CONSTRAINT "mail_suppressions_reason_known" CHECK ("mail_suppressions"."reason" in ('hard_bounce', 'complaint', 'unsubscribed')),
	CONSTRAINT "mail_suppressions_kind_known" CHECK ("mail_suppressions"."kind" in ('checkout_recovery', 'order_receipt', 'workspace_invitation', 'payment_link', 'payment_receipt', 'payment_receipt_copy', 'payment_instructions', 'payment_reminder', 'refund_made', 'report_ready')),
	CONSTRAINT "mail_suppressions_only_bounces_lifted" CHECK ("mail_suppressions"."status" = 'active' or "mail_suppressions"."reason" = 'hard_bounce')
);
--> statement-breakpoint
CREATE TABLE "outgoing_mails" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"locale" text NOT NULL,
	"payment_id" uuid,
	"recipient" text,
	"recipient_digest" text,
	"mailbox_digest" text,
	"network_digest" text,
	"cause" text DEFAULT 'form' NOT NULL,
	"of_reviewed" boolean DEFAULT false NOT NULL,
	"data" jsonb NOT NULL,
	"status" text NOT NULL,
	"dropped_for" text,
	"suppressed_for" text,
	"report" text,
	"next_check_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "outgoing_mails_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "outgoing_mails_kind_known" CHECK ("outgoing_mails"."kind" in ('checkout_recovery', 'order_receipt', 'workspace_invitation', 'payment_link', 'payment_receipt', 'payment_receipt_copy', 'payment_instructions', 'payment_reminder', 'refund_made', 'report_ready')),
	CONSTRAINT "outgoing_mails_locale_known" CHECK ("outgoing_mails"."locale" in ('es-MX', 'en')),
	CONSTRAINT "outgoing_mails_status_known" CHECK ("outgoing_mails"."status" in ('waiting', 'dropped', 'sent', 'given_up', 'suppressed')),
	CONSTRAINT "outgoing_mails_one_recipient" CHECK ("outgoing_mails"."recipient" ~ '^[A-Za-z0-9_+.&''-]+@[A-Za-z0-9.-]+$' and char_length("outgoing_mails"."recipient") <= 254),
	CONSTRAINT "outgoing_mails_forget_recipient" CHECK (("outgoing_mails"."status" = 'waiting') = ("outgoing_mails"."recipient" is not null) and ("outgoing_mails"."status" = 'waiting') = ("outgoing_mails"."next_check_at" is not null) and ("outgoing_mails"."status" = 'waiting' or "outgoing_mails"."data" = '{}')),
	CONSTRAINT "outgoing_mails_cause_known" CHECK ("outgoing_mails"."cause" in ('money', 'invitation', 'sent', 'form', 'report')),
	CONSTRAINT "outgoing_mails_dropped_for_known" CHECK ("outgoing_mails"."dropped_for" in ('email_not_confirmed', 'recipient_form', 'recipient_limit', 'network_limit', 'workspace_limit', 'account_limit')),
	CONSTRAINT "outgoing_mails_dropped_for" CHECK (("outgoing_mails"."status" = 'dropped') = ("outgoing_mails"."dropped_for" is not null)),
	CONSTRAINT "outgoing_mails_report_known" CHECK ("outgoing_mails"."report" in ('delivered', 'bounced', 'complained')),
	CONSTRAINT "outgoing_mails_suppressed_for_known" CHECK ("outgoing_mails"."suppressed_for" in ('hard_bounce', 'complaint', 'unsubscribed')),
	CONSTRAINT "outgoing_mails_suppressed_for" CHECK (("outgoing_mails"."status" = 'suppressed') = ("outgoing_mails"."suppressed_for" is not null))
);
--> statement-breakpoint
CREATE TABLE "workspace_invitations" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"locale" text NOT NULL,
	"status" text NOT NULL,
	"invited_by" text NOT NULL,
	"invited_by_email" text NOT NULL,
	"accepted_by" text,
	"sends_count" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workspace_invitations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "workspace_invitations_role_known" CHECK ("workspace_invitations"."role" in ('owner', 'admin', 'member')),
	CONSTRAINT "workspace_invitations_locale_known" CHECK ("workspace_invitations"."locale" in ('es-MX', 'en')),
	CONSTRAINT "workspace_invitations_status_known" CHECK ("workspace_invitations"."status" in ('pending', 'accepted', 'revoked', 'expired')),
	CONSTRAINT "workspace_invitations_email_form" CHECK ("workspace_invitations"."email" ~ '^[^@[:space:]]+@[^@[:space:]]+$' and "workspace_invitations"."email" = lower("workspace_invitations"."email") and char_length("workspace_invitations"."email") <= 254),
	CONSTRAINT "workspace_invitations_to_an_address" CHECK ("workspace_invitations"."status" <> 'pending' or "workspace_invitations"."email" is not null),
	CONSTRAINT "workspace_invitations_accepted_by_one" CHECK (("workspace_invitations"."status" = 'accepted') = ("workspace_invitations"."accepted_by" is not null)),
	CONSTRAINT "workspace_invitations_sends_counted" CHECK ("workspace_invitations"."sends_count" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "metadata_entries" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"resource" text NOT NULL,
	"entry" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "metadata_entries_tenant_id_resource_entry_created_at_id_pk" PRIMARY KEY("tenant_id","resource","entry","created_at","id"),
	CONSTRAINT "metadata_entries_resource_known" CHECK ("metadata_entries"."resource" in ('customer', 'digital_catalog', 'catalog_item', 'checkout_session', 'payment_link', 'payment', 'register_order', 'table_session', 'in_person_payment'))
);
--> statement-breakpoint
CREATE TABLE "offline_allowances" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"pairing" integer NOT NULL,
	"location_id" uuid NOT NULL,
	"configuration_id" uuid NOT NULL,
	"configuration_version" integer NOT NULL,
	"signing_key" text NOT NULL,
	"currency" text NOT NULL,
	"amount_max_minor" bigint NOT NULL,
	"stored_amount_max_minor" bigint NOT NULL,
	"stored_hours_max" integer NOT NULL,
	"stored_minor" bigint NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"takes_until" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "offline_allowances_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "offline_allowances_device_of" UNIQUE("tenant_id","id","device_id"),
	CONSTRAINT "offline_allowances_kept" CHECK ("offline_allowances"."stored_minor" between 0 and "offline_allowances"."stored_amount_max_minor"),
	CONSTRAINT "offline_allowances_ended" CHECK (("offline_allowances"."ended_at" is null) = ("offline_allowances"."takes_until" is null)),
	CONSTRAINT "offline_allowances_key_form" CHECK ("offline_allowances"."signing_key" ~ '^[A-Za-z0-9_-]{87}$')
);
--> statement-breakpoint
CREATE TABLE "offline_losses" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"commit_order" bigint DEFAULT 0 NOT NULL,
	"booked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offline_losses_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "offline_losses_reason_known" CHECK ("offline_losses"."reason" in ('insufficient_funds', 'card_declined', 'expired_card', 'suspected_fraud', 'authentication_failed', 'processing_error', 'blocked', 'canceled')),
	CONSTRAINT "offline_losses_amount" CHECK ("offline_losses"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "offline_payments" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	"allowance_id" uuid,
	"device_payment_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"status" text NOT NULL,
	"refusal_code" text,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"tip_minor" bigint NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"in_person_payment_id" uuid,
	"payment_id" uuid,
	"policy_version" integer NOT NULL,
	"announced_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "offline_payments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "offline_payments_status_known" CHECK ("offline_payments"."status" in ('forwarding', 'refused', 'unknown', 'succeeded', 'declined', 'canceled')),
	CONSTRAINT "offline_payments_refusal_known" CHECK ("offline_payments"."refusal_code" in ('allowance_not_found', 'allowance_ended', 'signature_invalid', 'sequence_used', 'currency_unsupported', 'tip_above_amount', 'amount_above_maximum', 'stored_amount_above_maximum', 'refused_by_policy')),
	CONSTRAINT "offline_payments_name_form" CHECK ("offline_payments"."device_payment_id" ~ '^[A-Za-z0-9_-]{8,64}$'),
	CONSTRAINT "offline_payments_sequence_positive" CHECK ("offline_payments"."sequence" > 0),
	CONSTRAINT "offline_payments_taken" CHECK (num_nonnulls("offline_payments"."allowance_id", "offline_payments"."in_person_payment_id", "offline_payments"."payment_id") = 3 and "offline_payments"."refusal_code" is null
          and "offline_payments"."status" <> 'refused' and "offline_payments"."tip_minor" between 0 and "offline_payments"."amount_minor" - "offline_payments"."tip_minor"
          or "offline_payments"."status" = 'refused' and "offline_payments"."refusal_code" is not null and num_nonnulls("offline_payments"."in_person_payment_id", "offline_payments"."payment_id") = 0),
	CONSTRAINT "offline_payments_amount" CHECK ("offline_payments"."amount_minor" > 0 and "offline_payments"."tip_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_contacts" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"page" text NOT NULL,
	"remind_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_contacts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_contacts_locale_known" CHECK ("payment_contacts"."locale" in ('es-MX', 'en')),
	CONSTRAINT "payment_contacts_email_form" CHECK ("payment_contacts"."email" ~ '^[^@[:space:]]+@[^@[:space:]]+$' and char_length("payment_contacts"."email") <= 254),
	CONSTRAINT "payment_contacts_page_form" CHECK ("payment_contacts"."page" ~ '^/[a-z]+_[a-z0-9]{32}/spcs_[a-z0-9]{32}$')
);
--> statement-breakpoint
CREATE TABLE "payment_invoices" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"folio" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"replaces_id" uuid,
	"recorded_order" bigint DEFAULT 0 NOT NULL,
	"ended_order" bigint,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_invoices_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_invoices_of_payment" UNIQUE("tenant_id","id","payment_id"),
	CONSTRAINT "payment_invoices_kind_known" CHECK ("payment_invoices"."kind" in ('individual', 'global')),
	CONSTRAINT "payment_invoices_status_known" CHECK ("payment_invoices"."status" in ('live', 'replaced', 'removed')),
	CONSTRAINT "payment_invoices_ended" CHECK (("payment_invoices"."ended_order" is null) = ("payment_invoices"."status" = 'live'))
);
--> statement-breakpoint
CREATE TABLE "payment_link_templates" (
	"tenant_id" uuid NOT NULL,
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
CREATE TABLE "payment_link_uses" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"uses_max" integer,
	"paid_count" integer NOT NULL,
	"authorized_count" integer DEFAULT 0 NOT NULL,
	"held_count" integer NOT NULL,
	"used_up_at" timestamp (3) with time zone,
	"announced_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_link_uses_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_link_uses_counted" CHECK ("payment_link_uses"."authorized_count" between 0 and "payment_link_uses"."paid_count" and "payment_link_uses"."held_count" >= 0),
	CONSTRAINT "payment_link_uses_bounded" CHECK ("payment_link_uses"."paid_count" + "payment_link_uses"."held_count" <= "payment_link_uses"."uses_max")
);
--> statement-breakpoint
CREATE TABLE "payment_link_views" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"views_count" integer NOT NULL,
	CONSTRAINT "payment_link_views_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"usage" text NOT NULL,
	"amount_source" text NOT NULL,
	"catalog_line_item_snapshot" jsonb,
	"catalog_item_id" uuid,
	"lines" jsonb,
	"discounts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"takes_codes" boolean DEFAULT false NOT NULL,
	"shipping_options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tip_options" jsonb,
	"stock" jsonb,
	"delivers" jsonb,
	"description" text,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment_method_types" text[] NOT NULL,
	"capture_method" text NOT NULL,
	"installment_months" integer[] NOT NULL,
	"installment_plan_months" integer,
	"fee_allocation" text NOT NULL,
	"merchant_markup_bps" integer NOT NULL,
	"terms_version" integer NOT NULL,
	"asks_version" integer DEFAULT 1 NOT NULL,
	"buyer_amount" jsonb,
	"quantity_min" integer,
	"quantity_max" integer,
	"metadata" jsonb NOT NULL,
	"client_reference_id" text,
	"customer_id" uuid,
	"customer_email" text,
	"customer_name" text,
	"success_url" text,
	"success_message" text,
	"payer_email_domains" text[],
	"collects" jsonb,
	"password_hash" text,
	"checkout_session_ref" text,
	"uses_max" integer,
	"starts_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"template_id" uuid,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"location_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_links_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_links_known_buyer" CHECK (char_length("payment_links"."customer_email") <= 254
      and ("payment_links"."customer_name" is null or ("payment_links"."customer_email" is not null and char_length("payment_links"."customer_name") between 1 and 100))),
	CONSTRAINT "payment_links_known_buyer_single" CHECK ("payment_links"."customer_email" is null or "payment_links"."usage" = 'single_use'),
	CONSTRAINT "payment_links_public_id_form" CHECK ("payment_links"."public_id" ~ '^splink_[a-z0-9]{32}$'),
	CONSTRAINT "payment_links_status_known" CHECK ("payment_links"."status" in ('active', 'inactive', 'paid', 'archived')),
	CONSTRAINT "payment_links_usage_known" CHECK ("payment_links"."usage" in ('single_use', 'multi_use')),
	CONSTRAINT "payment_links_paid_is_single_use" CHECK ("payment_links"."status" <> 'paid' or "payment_links"."usage" = 'single_use'),
	CONSTRAINT "payment_links_amount_positive" CHECK ("payment_links"."amount_minor" > 0),
	CONSTRAINT "payment_links_amount_bounded" CHECK ("payment_links"."amount_minor" <= 999999999999),
	CONSTRAINT "payment_links_currency_form" CHECK ("payment_links"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "payment_links_methods_some" CHECK (cardinality("payment_links"."payment_method_types") >= 1),
	CONSTRAINT "payment_links_cash_in_mxn" CHECK ("payment_links"."currency" = 'mxn' or not ("payment_links"."payment_method_types" && array['oxxo', 'spei'])),
	CONSTRAINT "payment_links_capture_method" CHECK ("payment_links"."capture_method" = 'automatic'
        or ("payment_links"."capture_method" = 'manual' and "payment_links"."payment_method_types" = array['card'])),
	CONSTRAINT "payment_links_absorb_no_markup" CHECK ("payment_links"."fee_allocation" <> 'absorb' or "payment_links"."merchant_markup_bps" = 0),
	CONSTRAINT "payment_links_markup_bounds" CHECK ("payment_links"."merchant_markup_bps" between 0 and 10000),
	CONSTRAINT "payment_links_buyer_amount" CHECK ("payment_links"."buyer_amount" is null or ("payment_links"."amount_source" = 'manual_amount' and "payment_links"."quantity_max" is null
        and ("payment_links"."buyer_amount"->>'amount_min')::bigint = "payment_links"."amount_minor"
        and ("payment_links"."buyer_amount"->>'amount_max')::bigint between "payment_links"."amount_minor" and 999999999999)),
	CONSTRAINT "payment_links_quantity" CHECK (("payment_links"."quantity_min" is null and "payment_links"."quantity_max" is null)
        or ("payment_links"."quantity_min" between 1 and "payment_links"."quantity_max" and "payment_links"."quantity_max" <= 10000
        and "payment_links"."amount_minor" * "payment_links"."quantity_max" <= 999999999999)),
	CONSTRAINT "payment_links_uses_max" CHECK ("payment_links"."uses_max" is null or ("payment_links"."usage" = 'multi_use' and "payment_links"."uses_max" between 1 and 1000000)),
	CONSTRAINT "payment_links_success_message" CHECK (length("payment_links"."success_message") <= 1000),
	CONSTRAINT "payment_links_payer_email_domains" CHECK ("payment_links"."payer_email_domains" is null or cardinality("payment_links"."payer_email_domains") between 1 and 20),
	CONSTRAINT "payment_links_opens_before_end" CHECK ("payment_links"."starts_at" < "payment_links"."expires_at"),
	CONSTRAINT "payment_links_amount_source" CHECK (num_nonnulls("payment_links"."catalog_line_item_snapshot", "payment_links"."lines") = case "payment_links"."amount_source" when 'manual_amount' then 0 else 1 end),
	CONSTRAINT "payment_links_lines_bounded" CHECK (jsonb_array_length("payment_links"."lines") between 1 and 100),
	CONSTRAINT "payment_links_lines_offered" CHECK ("payment_links"."lines" is not null or ("payment_links"."shipping_options" = '[]' and "payment_links"."tip_options" is null
          and "payment_links"."discounts" = '[]' and not "payment_links"."takes_codes")),
	CONSTRAINT "payment_links_discounts_bounded" CHECK (jsonb_array_length("payment_links"."discounts") <= 5),
	CONSTRAINT "payment_links_lines_counted" CHECK ("payment_links"."lines" is null or "payment_links"."quantity_max" is null),
	CONSTRAINT "payment_links_revoked_stays" CHECK ("payment_links"."revoked_at" is null or "payment_links"."status" in ('inactive', 'archived'))
);
--> statement-breakpoint
CREATE TABLE "payment_policies" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"last_version" integer NOT NULL,
	"has_planned" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_policies_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "payment_policy_versions" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"version" integer NOT NULL,
	"location_id" uuid,
	"settings" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"is_planned" boolean DEFAULT false NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
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
CREATE TABLE "payment_attempts" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"status" text NOT NULL,
	"processor" text NOT NULL,
	"account_id" uuid,
	"method" text NOT NULL,
	"channel" text NOT NULL,
	"processor_ref" text,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"installment_months" integer NOT NULL,
	"capture_method" text NOT NULL,
	"intent" text,
	"intent_amount_minor" bigint,
	"intent_key" text,
	"method_details" jsonb,
	"stored_card" jsonb,
	"next_action" jsonb,
	"decline_code" text,
	"decline_category" text,
	"device_failure" text,
	"contradiction" jsonb,
	"resolution" text,
	"three_ds" jsonb,
	"expires_at" timestamp (3) with time zone,
	"grace_ends_at" timestamp (3) with time zone,
	"network_digest" text,
	"contact_digest" text,
	"unpaid_share_bps" integer,
	"next_check_at" timestamp (3) with time zone,
	"checks_count" integer NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_attempts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_attempts_status_known" CHECK ("payment_attempts"."status" in ('submitting', 'unknown', 'pending_customer', 'amount_mismatch', 'authorized', 'captured', 'declined', 'canceled', 'expired')),
	CONSTRAINT "payment_attempts_method_known" CHECK ("payment_attempts"."method" in ('card', 'card_present', 'oxxo', 'spei')),
	CONSTRAINT "payment_attempts_channel_known" CHECK ("payment_attempts"."channel" in ('page', 'server', 'device')),
	CONSTRAINT "payment_attempts_capture_method_known" CHECK ("payment_attempts"."capture_method" in ('automatic', 'manual')),
	CONSTRAINT "payment_attempts_intent" CHECK (("payment_attempts"."intent" is null and "payment_attempts"."intent_amount_minor" is null)
        or ("payment_attempts"."intent_key" is not null and "payment_attempts"."intent" = 'capture' and "payment_attempts"."intent_amount_minor" between 1 and "payment_attempts"."amount_minor")
        or ("payment_attempts"."intent_key" is not null and "payment_attempts"."intent" in ('cancel', 'void_or_refund') and "payment_attempts"."intent_amount_minor" is null)),
	CONSTRAINT "payment_attempts_void_or_refund" CHECK ("payment_attempts"."intent" is null or "payment_attempts"."intent" <> 'void_or_refund' or "payment_attempts"."status" = 'amount_mismatch'),
	CONSTRAINT "payment_attempts_reversal_failed" CHECK ("payment_attempts"."status" <> 'captured' or "payment_attempts"."contradiction" ->> 'void_or_refund_failure' is null),
	CONSTRAINT "payment_attempts_stored_card" CHECK ("payment_attempts"."stored_card" is null or "payment_attempts"."status" in ('submitting', 'unknown')),
	CONSTRAINT "payment_attempts_resolution_known" CHECK ("payment_attempts"."resolution" in ('agreed', 'voided', 'refunded', 'settled_elsewhere')),
	CONSTRAINT "payment_attempts_device_failure_known" CHECK ("payment_attempts"."device_failure" in ('reader_offline', 'reader_busy', 'reader_not_registered', 'reader_failed')),
	CONSTRAINT "payment_attempts_device_failure" CHECK ("payment_attempts"."device_failure" is null or "payment_attempts"."status" = 'canceled'),
	CONSTRAINT "payment_attempts_intent_open" CHECK ("payment_attempts"."intent" is null or "payment_attempts"."status" in ('authorized', 'pending_customer', 'amount_mismatch')),
	CONSTRAINT "payment_attempts_unpaid_share" CHECK ("payment_attempts"."unpaid_share_bps" between 0 and 10000),
	CONSTRAINT "payment_attempts_holder_forgotten" CHECK ("payment_attempts"."resolved_at" is null or ("payment_attempts"."network_digest" is null and "payment_attempts"."contact_digest" is null)),
	CONSTRAINT "payment_attempts_resolved" CHECK ("payment_attempts"."status" = 'amount_mismatch'
        or ("payment_attempts"."resolved_at" is not null) = ("payment_attempts"."status" in ('captured', 'declined', 'canceled', 'expired'))),
	CONSTRAINT "payment_attempts_declined_why" CHECK ("payment_attempts"."status" <> 'declined' or "payment_attempts"."decline_code" is not null),
	CONSTRAINT "payment_attempts_amount_positive" CHECK ("payment_attempts"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"tenant_id" uuid NOT NULL,
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
	"taxes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"order" jsonb,
	"takes" jsonb,
	"delivers" jsonb,
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
	"reviewed_attempt_id" uuid,
	"replaces_id" uuid,
	"origin_type" text NOT NULL,
	"origin_id" uuid NOT NULL,
	"exclusive" boolean NOT NULL,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"location_id" uuid,
	"customer_id" uuid,
	"description" text,
	"quantity" integer DEFAULT 1 NOT NULL,
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
	CONSTRAINT "payments_tip_bounds" CHECK ("payments"."tip_amount_minor" >= 0 and "payments"."tip_amount_minor" + "payments"."markup_minor" <= "payments"."amount_minor"),
	CONSTRAINT "payments_presented_tip" CHECK (not "payments"."method" in ('card_present') or 2 * "payments"."tip_amount_minor" <= "payments"."amount_minor"),
	CONSTRAINT "payments_quantity_positive" CHECK ("payments"."quantity" > 0),
	CONSTRAINT "payments_amount_bounded" CHECK ("payments"."amount_minor" <= 999999999999),
	CONSTRAINT "payments_amounts_ordered" CHECK (0 <= "payments"."amount_refunded_minor" and 0 <= "payments"."amount_disputed_minor"
        and "payments"."amount_refunded_minor" + "payments"."amount_disputed_minor" <= "payments"."amount_captured_minor"
        and "payments"."amount_captured_minor" <= "payments"."amount_authorized_minor" and "payments"."amount_authorized_minor" <= "payments"."amount_minor"),
	CONSTRAINT "payments_succeeded_is_captured" CHECK ("payments"."status" <> 'succeeded' or "payments"."amount_captured_minor" > 0),
	CONSTRAINT "payments_funds_status_known" CHECK ("payments"."funds_status" in ('none', 'pending', 'available')),
	CONSTRAINT "payments_method_known" CHECK ("payments"."method" in ('card', 'card_present', 'oxxo', 'spei')),
	CONSTRAINT "payments_capture_method_known" CHECK ("payments"."capture_method" in ('automatic', 'manual')),
	CONSTRAINT "payments_manual_capture_is_card" CHECK ("payments"."capture_method" = 'automatic' or "payments"."method" in ('card', 'card_present')),
	CONSTRAINT "payments_received_bounds" CHECK ("payments"."amount_received_minor" between 0 and "payments"."amount_minor"),
	CONSTRAINT "payments_received_fits_status" CHECK ("payments"."amount_received_minor" = 0 or ("payments"."method" in ('spei') and (
        ("payments"."status" = 'requires_action' and "payments"."amount_received_minor" < "payments"."amount_minor")
        or ("payments"."status" = 'succeeded' and "payments"."amount_received_minor" = "payments"."amount_minor")))),
	CONSTRAINT "payments_reserve_bounds" CHECK ("payments"."reserve_minor" >= 0),
	CONSTRAINT "payments_open_disputes_count" CHECK ("payments"."open_disputes_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payout_entries" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payout_id" uuid NOT NULL,
	"activity_id" uuid,
	"kind" text NOT NULL,
	"source_type" text,
	"source_id" uuid,
	"gross_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"processor_ref" text,
	"processor_type" text,
	"description" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_entries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payout_entries_source" CHECK (("payout_entries"."source_id" is null) = ("payout_entries"."source_type" is null) and case when "payout_entries"."activity_id" is null then "payout_entries"."processor_ref" is not null and "payout_entries"."processor_type" is not null
          and ("payout_entries"."source_id" is null) = ("payout_entries"."kind" = 'other')
        else "payout_entries"."processor_ref" is null and "payout_entries"."source_id" is not null and "payout_entries"."kind" <> 'other' end),
	CONSTRAINT "payout_entries_net" CHECK ("payout_entries"."gross_minor" - "payout_entries"."fee_minor" = "payout_entries"."net_minor")
);
--> statement-breakpoint
CREATE TABLE "payout_settings" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"currency" text NOT NULL,
	"interval" text NOT NULL,
	"anchor_day" integer,
	"amount_minor_min" bigint NOT NULL,
	"bank_account_id" uuid NOT NULL,
	"next_payout_on" date,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_settings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payout_settings_interval_known" CHECK ("payout_settings"."interval" in ('daily', 'weekly', 'monthly', 'manual')),
	CONSTRAINT "payout_settings_anchor" CHECK (("payout_settings"."interval" = 'weekly' and "payout_settings"."anchor_day" between 1 and 7)
        or ("payout_settings"."interval" = 'monthly' and "payout_settings"."anchor_day" between 1 and 31)
        or ("payout_settings"."interval" in ('daily', 'manual') and "payout_settings"."anchor_day" is null)),
	CONSTRAINT "payout_settings_amount_min" CHECK ("payout_settings"."amount_minor_min" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"gross_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"entries_count" integer NOT NULL,
	"destination_clabe" text,
	"destination_holder" text,
	"destination_last4" text,
	"destination_bank" text,
	"processor" text NOT NULL,
	"account_id" uuid,
	"processor_ref" text,
	"reconciliation" text DEFAULT 'complete' NOT NULL,
	"entries_read_to" text,
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
	CONSTRAINT "payouts_reconciliation_known" CHECK ("payouts"."reconciliation" in ('complete', 'pending', 'mismatched', 'unavailable')),
	CONSTRAINT "payouts_amount_positive" CHECK ("payouts"."amount_minor" > 0 or "payouts"."account_id" is not null),
	CONSTRAINT "payouts_net" CHECK ("payouts"."reconciliation" <> 'complete' or "payouts"."gross_minor" - "payouts"."fee_minor" = "payouts"."amount_minor"),
	CONSTRAINT "payouts_made_by" CHECK (case when "payouts"."account_id" is null
        then "payouts"."destination_clabe" is not null and "payouts"."destination_holder" is not null and "payouts"."processor_ref" is null
          and "payouts"."reconciliation" = 'complete'
        else "payouts"."processor_ref" is not null and "payouts"."destination_clabe" is null end)
);
--> statement-breakpoint
CREATE TABLE "attestation_settings" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"is_required" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "attestation_settings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "phone_apps" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"platform" text NOT NULL,
	"app" text NOT NULL,
	"certificate_digests" text[] NOT NULL,
	"decryption_key" text,
	"verification_key" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "phone_apps_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "phone_apps_status_known" CHECK ("phone_apps"."status" in ('active', 'removed')),
	CONSTRAINT "phone_apps_platform_known" CHECK ("phone_apps"."platform" in ('ios', 'android')),
	CONSTRAINT "phone_apps_app_form" CHECK (char_length("phone_apps"."app") <= 255 and case "phone_apps"."platform" when 'ios' then "phone_apps"."app" ~ '^[A-Z0-9]{10}[.][A-Za-z0-9.-]+$'
          else "phone_apps"."app" ~ '^[A-Za-z][A-Za-z0-9_]*([.][A-Za-z][A-Za-z0-9_]*)+$' end),
	CONSTRAINT "phone_apps_of_platform" CHECK (case "phone_apps"."platform" when 'ios' then cardinality("phone_apps"."certificate_digests") = 0 and num_nonnulls("phone_apps"."decryption_key", "phone_apps"."verification_key") = 0
          else cardinality("phone_apps"."certificate_digests") between 1 and 10 and num_nonnulls("phone_apps"."decryption_key", "phone_apps"."verification_key") = 2 end),
	CONSTRAINT "phone_apps_encrypted" CHECK (coalesce("phone_apps"."decryption_key", '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$' and coalesce("phone_apps"."verification_key", '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$')
);
--> statement-breakpoint
CREATE TABLE "cash_movements" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"shift_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"order_id" uuid,
	"note" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cash_movements_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "cash_movements_kind_known" CHECK ("cash_movements"."kind" in ('sale', 'return', 'paid_in', 'paid_out')),
	CONSTRAINT "cash_movements_amount" CHECK ("cash_movements"."amount_minor" between 1 and 999999999999),
	CONSTRAINT "cash_movements_of_order" CHECK (("cash_movements"."kind" in ('sale', 'return')) = ("cash_movements"."order_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "register_codes" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"register_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "register_codes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "register_codes_public_id_form" CHECK ("register_codes"."public_id" ~ '^sreg_[a-z0-9]{32}$'),
	CONSTRAINT "register_codes_status_known" CHECK ("register_codes"."status" in ('active', 'revoked')),
	CONSTRAINT "register_codes_purpose_known" CHECK ("register_codes"."purpose" in ('printed', 'display'))
);
--> statement-breakpoint
CREATE TABLE "register_orders" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"register_id" uuid NOT NULL,
	"shift_id" uuid,
	"mode" text NOT NULL,
	"is_current" boolean NOT NULL,
	"lines" jsonb NOT NULL,
	"stock" jsonb,
	"delivers" jsonb,
	"tip_options" jsonb,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment_method_types" text[] NOT NULL,
	"capture_method" text NOT NULL,
	"installment_months" integer[] NOT NULL,
	"installment_plan_months" integer,
	"fee_allocation" text NOT NULL,
	"merchant_markup_bps" integer NOT NULL,
	"terms_version" integer NOT NULL,
	"asks_version" integer DEFAULT 1 NOT NULL,
	"description" text,
	"client_reference_id" text,
	"metadata" jsonb NOT NULL,
	"payment_id" uuid,
	"tendered_minor" bigint,
	"cash_returned_minor" bigint NOT NULL,
	"replaced_by" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"location_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "register_orders_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "register_orders_amount_positive" CHECK ("register_orders"."amount_minor" > 0),
	CONSTRAINT "register_orders_amount_bounded" CHECK ("register_orders"."amount_minor" <= 999999999999),
	CONSTRAINT "register_orders_currency_form" CHECK ("register_orders"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "register_orders_methods_some" CHECK (cardinality("register_orders"."payment_method_types") >= 1),
	CONSTRAINT "register_orders_cash_in_mxn" CHECK ("register_orders"."currency" = 'mxn' or not ("register_orders"."payment_method_types" && array['oxxo', 'spei'])),
	CONSTRAINT "register_orders_capture_method" CHECK ("register_orders"."capture_method" = 'automatic'
        or ("register_orders"."capture_method" = 'manual' and "register_orders"."payment_method_types" = array['card'])),
	CONSTRAINT "register_orders_absorb_no_markup" CHECK ("register_orders"."fee_allocation" <> 'absorb' or "register_orders"."merchant_markup_bps" = 0),
	CONSTRAINT "register_orders_markup_bounds" CHECK ("register_orders"."merchant_markup_bps" between 0 and 10000),
	CONSTRAINT "register_orders_public_id_form" CHECK ("register_orders"."public_id" ~ '^sorder_[a-z0-9]{32}$'),
	CONSTRAINT "register_orders_status_known" CHECK ("register_orders"."status" in ('open', 'expired', 'canceled', 'paid')),
	CONSTRAINT "register_orders_mode_known" CHECK ("register_orders"."mode" in ('static', 'dynamic', 'hybrid')),
	CONSTRAINT "register_orders_lines_bounded" CHECK (jsonb_array_length("register_orders"."lines") <= 100),
	CONSTRAINT "register_orders_current_open" CHECK (not "register_orders"."is_current" or "register_orders"."status" = 'open'),
	CONSTRAINT "register_orders_ended" CHECK (("register_orders"."status" = 'open') = ("register_orders"."ended_at" is null)),
	CONSTRAINT "register_orders_paid_once" CHECK (num_nonnulls("register_orders"."payment_id", "register_orders"."tendered_minor") = case when "register_orders"."status" = 'paid' then 1 else 0 end),
	CONSTRAINT "register_orders_tendered" CHECK ("register_orders"."tendered_minor" between "register_orders"."amount_minor" and 999999999999),
	CONSTRAINT "register_orders_cash_returned" CHECK ("register_orders"."cash_returned_minor" between 0 and case when "register_orders"."tendered_minor" is null then 0 else "register_orders"."amount_minor" end),
	CONSTRAINT "register_orders_delivered" CHECK ("register_orders"."tendered_minor" is null or "register_orders"."delivers" is null),
	CONSTRAINT "register_orders_replaced" CHECK ("register_orders"."replaced_by" is null or ("register_orders"."status" in ('canceled', 'paid') and "register_orders"."replaced_by" <> "register_orders"."id"))
);
--> statement-breakpoint
CREATE TABLE "register_shifts" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"register_id" uuid NOT NULL,
	"cashier_name" text,
	"currency" text NOT NULL,
	"opening_minor" bigint NOT NULL,
	"sales_minor" bigint NOT NULL,
	"returns_minor" bigint NOT NULL,
	"paid_in_minor" bigint NOT NULL,
	"paid_out_minor" bigint NOT NULL,
	"counted_minor" bigint,
	"unsettled_count" integer,
	"note" text,
	"closed_at" timestamp (3) with time zone,
	"commit_order" bigint,
	"booked_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "register_shifts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "register_shifts_status_known" CHECK ("register_shifts"."status" in ('open', 'closed')),
	CONSTRAINT "register_shifts_currency" CHECK ("register_shifts"."currency" = 'mxn'),
	CONSTRAINT "register_shifts_cashier_length" CHECK (char_length("register_shifts"."cashier_name") between 1 and 80),
	CONSTRAINT "register_shifts_opening" CHECK ("register_shifts"."opening_minor" between 0 and 999999999999),
	CONSTRAINT "register_shifts_sums" CHECK (least("register_shifts"."sales_minor", "register_shifts"."returns_minor", "register_shifts"."paid_in_minor", "register_shifts"."paid_out_minor") >= 0),
	CONSTRAINT "register_shifts_drawer" CHECK ("register_shifts"."opening_minor" + "register_shifts"."sales_minor" + "register_shifts"."paid_in_minor" - "register_shifts"."returns_minor" - "register_shifts"."paid_out_minor" >= 0),
	CONSTRAINT "register_shifts_bounded" CHECK ("register_shifts"."opening_minor" + "register_shifts"."sales_minor" + "register_shifts"."paid_in_minor" <= 999999999999),
	CONSTRAINT "register_shifts_counted" CHECK (num_nonnulls("register_shifts"."counted_minor", "register_shifts"."unsettled_count", "register_shifts"."closed_at", "register_shifts"."commit_order", "register_shifts"."booked_at")
          = case "register_shifts"."status" when 'closed' then 5 else 0 end),
	CONSTRAINT "register_shifts_counted_bounded" CHECK ("register_shifts"."counted_minor" between 0 and 999999999999)
);
--> statement-breakpoint
CREATE TABLE "environment_accounts" (
	"processor" text PRIMARY KEY NOT NULL,
	"methods" jsonb,
	"publishable_key" text,
	"next_check_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "environment_accounts_methods_known" CHECK ("environment_accounts"."methods" ?& array['card', 'oxxo', 'spei'] and "environment_accounts"."methods" - array['card', 'oxxo', 'spei'] = '{}' and coalesce("environment_accounts"."methods"->>'card', 'off') in ('active', 'pending', 'inactive', 'off') and coalesce("environment_accounts"."methods"->>'oxxo', 'off') in ('active', 'pending', 'inactive', 'off') and coalesce("environment_accounts"."methods"->>'spei', 'off') in ('active', 'pending', 'inactive', 'off'))
);
--> statement-breakpoint
CREATE TABLE "processor_credentials" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"processor" text NOT NULL,
	"account_ref" text,
	"methods" jsonb,
	"next_check_at" timestamp (3) with time zone,
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
	CONSTRAINT "processor_credentials_methods_known" CHECK ("processor_credentials"."methods" ?& array['card', 'oxxo', 'spei'] and "processor_credentials"."methods" - array['card', 'oxxo', 'spei'] = '{}' and coalesce("processor_credentials"."methods"->>'card', 'off') in ('active', 'pending', 'inactive', 'off') and coalesce("processor_credentials"."methods"->>'oxxo', 'off') in ('active', 'pending', 'inactive', 'off') and coalesce("processor_credentials"."methods"->>'spei', 'off') in ('active', 'pending', 'inactive', 'off')),
	CONSTRAINT "processor_credentials_checked" CHECK ("processor_credentials"."next_check_at" is null or "processor_credentials"."status" = 'active'),
	CONSTRAINT "processor_credentials_last4" CHECK (char_length("processor_credentials"."secret_key_last4") = 4)
);
--> statement-breakpoint
CREATE TABLE "processor_event_reads" (
	"processor" text NOT NULL,
	"account" text NOT NULL,
	"event_id" text,
	"next_read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "processor_event_reads_processor_account_pk" PRIMARY KEY("processor","account"),
	CONSTRAINT "processor_event_reads_bounds" CHECK (char_length("processor_event_reads"."event_id") <= 255)
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
	CONSTRAINT "processor_notifications_kind_known" CHECK ("processor_notifications"."kind" in ('attempt', 'refund', 'order', 'deposit', 'dispute', 'fraud_warning', 'processor_refund', 'payout', 'presented', 'asked')),
	CONSTRAINT "processor_notifications_bounds" CHECK (char_length("processor_notifications"."event_id") <= 255 and char_length("processor_notifications"."reference") <= 255)
);
--> statement-breakpoint
CREATE TABLE "public_ids" (
	"public_id" text PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "buyer_balance_movements" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"movement_ref" text NOT NULL,
	"kind" text NOT NULL,
	"attempt_id" uuid NOT NULL,
	"change_minor" bigint NOT NULL,
	"below_zero_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "buyer_balance_movements_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "buyer_balance_movements_kind_known" CHECK ("buyer_balance_movements"."kind" in ('reversed', 'returned', 'taken', 'unapplied', 'refilled', 'return_failed', 'refund_kept', 'overdraft_covered')),
	CONSTRAINT "buyer_balance_movements_direction" CHECK (case when "buyer_balance_movements"."kind" in ('reversed', 'returned', 'taken') then "buyer_balance_movements"."change_minor" < 0 else "buyer_balance_movements"."change_minor" > 0 end),
	CONSTRAINT "buyer_balance_movements_below_zero_bounds" CHECK ("buyer_balance_movements"."below_zero_minor" between 0 and abs("buyer_balance_movements"."change_minor"))
);
--> statement-breakpoint
CREATE TABLE "clabes" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"clabe" text NOT NULL,
	"payment_id" uuid,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"clave_rastreo" text NOT NULL,
	"sender_bank" text NOT NULL,
	"sender_clabe" text,
	"sender_name" text,
	"operated_on" date NOT NULL,
	"applied_minor" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "spei_deposits_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "spei_deposits_amount_positive" CHECK ("spei_deposits"."amount_minor" > 0),
	CONSTRAINT "spei_deposits_applied_bounds" CHECK ("spei_deposits"."applied_minor" between 0 and "spei_deposits"."amount_minor"),
	CONSTRAINT "spei_deposits_clave_form" CHECK ("spei_deposits"."clave_rastreo" ~ '^[A-Za-z0-9]{1,30}$')
);
--> statement-breakpoint
CREATE TABLE "unapplied_funds" (
	"tenant_id" uuid NOT NULL,
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
	"movement_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unapplied_funds_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "unapplied_funds_status_known" CHECK ("unapplied_funds"."status" in ('open', 'settled')),
	CONSTRAINT "unapplied_funds_reason_known" CHECK ("unapplied_funds"."reason" in ('paid_late', 'overpaid', 'already_paid', 'incomplete', 'unknown_clabe', 'came_back')),
	CONSTRAINT "unapplied_funds_method_known" CHECK ("unapplied_funds"."method" in ('oxxo', 'spei')),
	CONSTRAINT "unapplied_funds_amount_positive" CHECK ("unapplied_funds"."amount_minor" > 0),
	CONSTRAINT "unapplied_funds_remaining_bounds" CHECK ("unapplied_funds"."remaining_minor" between 0 and "unapplied_funds"."amount_minor"),
	CONSTRAINT "unapplied_funds_settled_is_empty" CHECK ("unapplied_funds"."status" <> 'settled' or "unapplied_funds"."remaining_minor" = 0)
);
--> statement-breakpoint
CREATE TABLE "unapplied_funds_applications" (
	"tenant_id" uuid NOT NULL,
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
CREATE TABLE "unapplied_funds_withdrawals" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"unapplied_funds_id" uuid NOT NULL,
	"movement_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unapplied_funds_withdrawals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "unapplied_funds_withdrawals_amount_positive" CHECK ("unapplied_funds_withdrawals"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE TABLE "vouchers" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid,
	"unapplied_funds_id" uuid,
	"customer_id" uuid,
	"client_reference_id" text,
	"checkout_session_id" uuid,
	"payment_link_id" uuid,
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
	CONSTRAINT "refunds_status_known" CHECK ("refunds"."status" in ('requires_destination', 'pending_approval', 'pending', 'processing', 'succeeded', 'kept', 'amount_mismatch', 'failed', 'canceled')),
	CONSTRAINT "refunds_method_known" CHECK ("refunds"."method" in ('original', 'spei_out', 'recorded_offline')),
	CONSTRAINT "refunds_origin_known" CHECK ("refunds"."origin" in ('api', 'processor')),
	CONSTRAINT "refunds_made_at_processor" CHECK (case when "refunds"."origin" = 'processor'
        then "refunds"."payment_id" is not null and "refunds"."method" = 'original' and "refunds"."processor" is not null and "refunds"."processor_ref" is not null
          and "refunds"."status" in ('processing', 'succeeded', 'kept', 'failed', 'amount_mismatch')
        else "refunds"."status" <> 'amount_mismatch' end),
	CONSTRAINT "refunds_amount_positive" CHECK ("refunds"."amount_minor" > 0),
	CONSTRAINT "refunds_destination" CHECK ("refunds"."method" <> 'spei_out' or "refunds"."status" in ('requires_destination', 'canceled')
        or ("refunds"."destination_clabe" ~ '^[0-9]{18}$' and "refunds"."destination_holder" is not null))
);
--> statement-breakpoint
CREATE TABLE "report_account_mappings" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"accounts" jsonb NOT NULL,
	"created_by_user_id" text NOT NULL,
	"created_by_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_account_mappings_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "report_account_mappings_accounts" CHECK (jsonb_typeof("report_account_mappings"."accounts") = 'object' and length("report_account_mappings"."accounts"::text) <= 40000)
);
--> statement-breakpoint
CREATE TABLE "report_cursor" (
	"is_only" boolean PRIMARY KEY NOT NULL,
	"commit_order" bigint NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	"mark_order" bigint NOT NULL,
	"mark_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_cursor_only" CHECK ("report_cursor"."is_only")
);
--> statement-breakpoint
CREATE TABLE "report_deliveries" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"status" text NOT NULL,
	"withheld_for" text,
	"next_check_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_deliveries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "report_deliveries_status_known" CHECK ("report_deliveries"."status" in ('waiting', 'mailed', 'withheld')),
	CONSTRAINT "report_deliveries_withheld_for_known" CHECK ("report_deliveries"."withheld_for" in ('member_left', 'unnamed', 'address_unconfirmed', 'file_removed')),
	CONSTRAINT "report_deliveries_withheld" CHECK (("report_deliveries"."withheld_for" is not null) = ("report_deliveries"."status" = 'withheld')),
	CONSTRAINT "report_deliveries_due" CHECK (("report_deliveries"."next_check_at" is not null) = ("report_deliveries"."status" = 'waiting'))
);
--> statement-breakpoint
CREATE TABLE "report_hours" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"currency" text NOT NULL,
	"method" text NOT NULL,
	"location_id" uuid,
	"gross_minor" bigint NOT NULL,
	"refunds_minor" bigint NOT NULL,
	"disputes_minor" bigint NOT NULL,
	"fees_minor" bigint NOT NULL,
	"iva_minor" bigint NOT NULL,
	"payments_count" integer NOT NULL,
	"refunds_count" integer NOT NULL,
	"disputes_count" integer NOT NULL,
	CONSTRAINT "report_hours_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "report_hours_of_one" UNIQUE NULLS NOT DISTINCT("tenant_id","hour","currency","method","location_id"),
	CONSTRAINT "report_hours_whole" CHECK ("report_hours"."hour" = date_trunc('hour', "report_hours"."hour", 'UTC'))
);
--> statement-breakpoint
CREATE TABLE "report_runs" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"type_version" integer NOT NULL,
	"status" text NOT NULL,
	"period_from" date NOT NULL,
	"period_to" date NOT NULL,
	"schedule_id" uuid,
	"payout_id" uuid,
	"mapping_id" uuid,
	"time_zone" text NOT NULL,
	"amounts" text NOT NULL,
	"format" text NOT NULL,
	"columns" jsonb,
	"shows_persons" boolean DEFAULT false NOT NULL,
	"starts_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"as_of" bigint DEFAULT 0 NOT NULL,
	"booked_until" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"parts_count" integer NOT NULL,
	"parts" jsonb NOT NULL,
	"rows_count" integer NOT NULL,
	"sums" jsonb NOT NULL,
	"place" jsonb,
	"opening" jsonb,
	"closing" jsonb,
	"file_digest" text,
	"failure" text,
	"next_check_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_runs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "report_runs_of_payout" CHECK ("report_runs"."payout_id" is null or ("report_runs"."schedule_id" is not null and "report_runs"."type" = 'payout.reconciliation')),
	CONSTRAINT "report_runs_type_known" CHECK ("report_runs"."type" in ('balance.activity', 'balance.summary', 'fees_and_iva', 'iva_collected', 'payout.reconciliation', 'payments.detail', 'method_mix', 'msi.terms', 'refunds', 'disputes', 'unapplied_funds', 'tips.staff', 'shifts', 'offline_losses', 'poliza', 'customers', 'cfdi.pending')),
	CONSTRAINT "report_runs_status_known" CHECK ("report_runs"."status" in ('queued', 'running', 'succeeded', 'failed', 'canceled', 'expired')),
	CONSTRAINT "report_runs_amounts_known" CHECK ("report_runs"."amounts" in ('minor', 'decimal')),
	CONSTRAINT "report_runs_format_known" CHECK ("report_runs"."format" in ('csv', 'jsonl')),
	CONSTRAINT "report_runs_failure_known" CHECK ("report_runs"."failure" in ('report_unbalanced', 'report_abandoned')),
	CONSTRAINT "report_runs_persons" CHECK (not "report_runs"."shows_persons" or ("report_runs"."columns" is not null and "report_runs"."schedule_id" is null)),
	CONSTRAINT "report_runs_period" CHECK ("report_runs"."period_to" - "report_runs"."period_from" between 0 and 365),
	CONSTRAINT "report_runs_counts" CHECK (least("report_runs"."parts_count", "report_runs"."rows_count") >= 0 and jsonb_array_length("report_runs"."parts") = "report_runs"."parts_count"),
	CONSTRAINT "report_runs_due" CHECK (("report_runs"."next_check_at" is not null) = ("report_runs"."status" in ('queued', 'running'))),
	CONSTRAINT "report_runs_finished" CHECK (("report_runs"."finished_at" is null) = ("report_runs"."status" in ('queued', 'running'))),
	CONSTRAINT "report_runs_failed" CHECK (("report_runs"."failure" is not null) = ("report_runs"."status" = 'failed')),
	CONSTRAINT "report_runs_file" CHECK ("report_runs"."status" <> 'succeeded' or ("report_runs"."file_digest" ~ '^[0-9a-f]{64}$' and "report_runs"."remove_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "report_schedules" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"time_zone" text NOT NULL,
	"amounts" text NOT NULL,
	"format" text NOT NULL,
	"every" text NOT NULL,
	"weekday" integer,
	"recipients" jsonb NOT NULL,
	"status" text NOT NULL,
	"paused_for" text,
	"failures_count" integer NOT NULL,
	"next_from" date,
	"next_to" date,
	"payouts_since" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"created_by_user_id" text NOT NULL,
	"created_by_email" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_schedules_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "report_schedules_type_known" CHECK ("report_schedules"."type" in ('balance.activity', 'balance.summary', 'fees_and_iva', 'iva_collected', 'payout.reconciliation', 'payments.detail', 'method_mix', 'msi.terms', 'refunds', 'disputes', 'unapplied_funds', 'tips.staff', 'shifts', 'offline_losses', 'poliza', 'customers', 'cfdi.pending')),
	CONSTRAINT "report_schedules_amounts_known" CHECK ("report_schedules"."amounts" in ('minor', 'decimal')),
	CONSTRAINT "report_schedules_format_known" CHECK ("report_schedules"."format" in ('csv', 'jsonl')),
	CONSTRAINT "report_schedules_every_known" CHECK ("report_schedules"."every" in ('day', 'week', 'month', 'payout')),
	CONSTRAINT "report_schedules_status_known" CHECK ("report_schedules"."status" in ('active', 'paused', 'deleted')),
	CONSTRAINT "report_schedules_paused_for_known" CHECK ("report_schedules"."paused_for" in ('creator_left', 'failures')),
	CONSTRAINT "report_schedules_paused" CHECK (("report_schedules"."paused_for" is not null) = ("report_schedules"."status" = 'paused')),
	CONSTRAINT "report_schedules_weekday" CHECK (case when "report_schedules"."every" = 'week' then "report_schedules"."weekday" between 1 and 7 and "report_schedules"."weekday" is not null
        else "report_schedules"."weekday" is null end),
	CONSTRAINT "report_schedules_payout" CHECK ("report_schedules"."every" <> 'payout' or "report_schedules"."type" = 'payout.reconciliation'),
	CONSTRAINT "report_schedules_period" CHECK (("report_schedules"."next_from" is null) = ("report_schedules"."every" = 'payout') and ("report_schedules"."next_to" is null) = ("report_schedules"."every" = 'payout')
        and coalesce("report_schedules"."next_to" - "report_schedules"."next_from" between 0 and 30, true)),
	CONSTRAINT "report_schedules_due" CHECK (("report_schedules"."due_at" is null) = ("report_schedules"."next_check_at" is null) and ("report_schedules"."status" = 'active' or "report_schedules"."due_at" is null)
        and ("report_schedules"."status" <> 'active' or "report_schedules"."every" = 'payout' or "report_schedules"."due_at" is not null)),
	CONSTRAINT "report_schedules_failures" CHECK ("report_schedules"."failures_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "risk_backtests" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	"condition" jsonb NOT NULL,
	"action" text NOT NULL,
	"begins_on" date NOT NULL,
	"ends_on" date NOT NULL,
	"tries_count" integer NOT NULL,
	"matched_count" integer NOT NULL,
	"overruled_count" integer NOT NULL,
	"outcomes" jsonb NOT NULL,
	"examples" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "risk_backtests_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "risk_backtests_counts" CHECK (0 <= "risk_backtests"."overruled_count" and "risk_backtests"."overruled_count" <= "risk_backtests"."matched_count" and "risk_backtests"."matched_count" <= "risk_backtests"."tries_count")
);
--> statement-breakpoint
CREATE TABLE "risk_evaluations" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"decision" text NOT NULL,
	"features" jsonb NOT NULL,
	"matches" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "risk_evaluations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "risk_evaluations_decision_known" CHECK ("risk_evaluations"."decision" in ('none', 'allow', 'block', 'confirm', 'review'))
);
--> statement-breakpoint
CREATE TABLE "risk_list_items" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"list_id" uuid NOT NULL,
	"value" text NOT NULL,
	"reason" text,
	"payment_id" uuid,
	"expires_at" timestamp (3) with time zone,
	"status" text NOT NULL,
	"created_by_user_id" text NOT NULL,
	"created_by_email" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "risk_list_items_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "risk_list_items_status_known" CHECK ("risk_list_items"."status" in ('active', 'removed')),
	CONSTRAINT "risk_list_items_value_form" CHECK ("risk_list_items"."value" <> '' and "risk_list_items"."value" not like '*%')
);
--> statement-breakpoint
CREATE TABLE "risk_lists" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"effect" text NOT NULL,
	"status" text NOT NULL,
	"created_by_user_id" text NOT NULL,
	"created_by_email" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "risk_lists_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "risk_lists_kind_known" CHECK ("risk_lists"."kind" in ('masked_card', 'bin', 'email', 'email_domain', 'customer')),
	CONSTRAINT "risk_lists_effect_known" CHECK ("risk_lists"."effect" in ('none', 'allow', 'block', 'review')),
	CONSTRAINT "risk_lists_status_known" CHECK ("risk_lists"."status" in ('active', 'deleted'))
);
--> statement-breakpoint
CREATE TABLE "risk_reviews" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"status" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"score" integer NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"note" text,
	"decided_by_user_id" text,
	"decided_by_email" text,
	"ended_at" timestamp (3) with time zone,
	"announced" text,
	"announced_expires_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "risk_reviews_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "risk_reviews_status_known" CHECK ("risk_reviews"."status" in ('open', 'approved', 'rejected', 'refunded', 'expired')),
	CONSTRAINT "risk_reviews_announced_known" CHECK ("risk_reviews"."announced" in ('open', 'approved', 'rejected', 'refunded', 'expired')),
	CONSTRAINT "risk_reviews_ended" CHECK (("risk_reviews"."status" = 'open') = ("risk_reviews"."ended_at" is null)),
	CONSTRAINT "risk_reviews_decided" CHECK ("risk_reviews"."status" in ('approved', 'rejected') = ("risk_reviews"."decided_by_user_id" is not null)
        and ("risk_reviews"."decided_by_user_id" is null) = ("risk_reviews"."decided_by_email" is null)),
	CONSTRAINT "risk_reviews_note" CHECK ("risk_reviews"."note" is null or "risk_reviews"."decided_by_user_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "risk_rules" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"action" text NOT NULL,
	"condition" jsonb NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"shadowed_at" timestamp (3) with time zone,
	"activated_at" timestamp (3) with time zone,
	"retired_at" timestamp (3) with time zone,
	"created_by_user_id" text NOT NULL,
	"created_by_email" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "risk_rules_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "risk_rules_action_known" CHECK ("risk_rules"."action" in ('allow', 'block', 'confirm', 'review')),
	CONSTRAINT "risk_rules_status_known" CHECK ("risk_rules"."status" in ('draft', 'active', 'shadow', 'retired')),
	CONSTRAINT "risk_rules_shadowed" CHECK (("risk_rules"."status" in ('draft', 'retired')) or "risk_rules"."shadowed_at" is not null),
	CONSTRAINT "risk_rules_activated" CHECK ("risk_rules"."status" <> 'active' or "risk_rules"."activated_at" is not null),
	CONSTRAINT "risk_rules_retired" CHECK (("risk_rules"."status" = 'retired') = ("risk_rules"."retired_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "sandbox_clocks" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"advanced_seconds" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_clocks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sandbox_clocks_forward" CHECK ("sandbox_clocks"."advanced_seconds" > 0)
);
--> statement-breakpoint
CREATE TABLE "segment_pins" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
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
CREATE TABLE "step_up_challenges" (
	"tenant_id" uuid NOT NULL,
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
CREATE TABLE "stock_levels" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"location_id" uuid,
	"on_hand" integer NOT NULL,
	"reserved" integer NOT NULL,
	"low_quantity" integer,
	"low_since" timestamp (3) with time zone,
	"low_announced_at" timestamp (3) with time zone,
	"counted_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stock_levels_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "stock_levels_place" UNIQUE NULLS NOT DISTINCT("tenant_id","item_id","location_id"),
	CONSTRAINT "stock_levels_reserved_counted" CHECK ("stock_levels"."reserved" >= 0),
	CONSTRAINT "stock_levels_available" CHECK ("stock_levels"."reserved" <= "stock_levels"."on_hand"),
	CONSTRAINT "stock_levels_bounded" CHECK ("stock_levels"."on_hand" <= 1000000000),
	CONSTRAINT "stock_levels_low_quantity" CHECK ("stock_levels"."low_quantity" between 0 and 1000000000)
);
--> statement-breakpoint
CREATE TABLE "stock_movements" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"level_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"location_id" uuid,
	"kind" text NOT NULL,
	"quantity" integer NOT NULL,
	"note" text,
	"reservation_id" uuid,
	"transfer_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stock_movements_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "stock_movements_kind_known" CHECK ("stock_movements"."kind" in ('received', 'returned', 'damaged', 'lost', 'correction', 'count', 'transfer_out', 'transfer_in', 'sold')),
	CONSTRAINT "stock_movements_direction" CHECK (case when "stock_movements"."kind" in ('received', 'returned', 'transfer_in') then "stock_movements"."quantity" > 0
        when "stock_movements"."kind" in ('damaged', 'lost', 'transfer_out', 'sold') then "stock_movements"."quantity" < 0
        when "stock_movements"."kind" = 'correction' then "stock_movements"."quantity" <> 0 else true end),
	CONSTRAINT "stock_movements_sold" CHECK (("stock_movements"."kind" = 'sold') = ("stock_movements"."reservation_id" is not null)),
	CONSTRAINT "stock_movements_transfer" CHECK (("stock_movements"."kind" in ('transfer_in', 'transfer_out')) = ("stock_movements"."transfer_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "stock_reservations" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"location_id" uuid,
	"lines" jsonb NOT NULL,
	"shortages" jsonb NOT NULL,
	"attempt_id" uuid,
	"note" text,
	"expires_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stock_reservations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "stock_reservations_status_known" CHECK ("stock_reservations"."status" in ('held', 'committed', 'released', 'expired')),
	CONSTRAINT "stock_reservations_lines_some" CHECK (jsonb_array_length("stock_reservations"."lines") between 1 and 2000),
	CONSTRAINT "stock_reservations_ends" CHECK (("stock_reservations"."attempt_id" is null) = ("stock_reservations"."expires_at" is not null)),
	CONSTRAINT "stock_reservations_resolved" CHECK (("stock_reservations"."status" = 'held') = ("stock_reservations"."resolved_at" is null))
);
--> statement-breakpoint
CREATE TABLE "stripe_connections" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"api_key" text,
	"api_key_last4" text NOT NULL,
	"webhook_secret" text,
	"webhook_secret_last4" text,
	"last_event_id" text,
	"last_event_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stripe_connections_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "stripe_connections_encrypted" CHECK (coalesce("stripe_connections"."api_key", '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$' and coalesce("stripe_connections"."webhook_secret", '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$'),
	CONSTRAINT "stripe_connections_last4" CHECK (char_length("stripe_connections"."api_key_last4") = 4 and char_length("stripe_connections"."webhook_secret_last4") = 4),
	CONSTRAINT "stripe_connections_read" CHECK (("stripe_connections"."last_event_id" is null) = ("stripe_connections"."last_event_at" is null))
);
--> statement-breakpoint
CREATE TABLE "customer_external_ids" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"external_id" text,
	"external_id_digest" text,
	"customer_id" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_external_ids_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_external_ids_either" CHECK (("customer_external_ids"."external_id" is null) = ("customer_external_ids"."external_id_digest" is not null))
);
--> statement-breakpoint
CREATE TABLE "sync_files" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"status" text NOT NULL,
	"bytes" integer NOT NULL,
	"shape" jsonb,
	"fields" jsonb,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sync_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sync_files_status_known" CHECK ("sync_files"."status" in ('uploading', 'stored', 'replaced', 'removing', 'removed')),
	CONSTRAINT "sync_files_removal" CHECK (("sync_files"."remove_at" is null) = ("sync_files"."status" = 'removed')),
	CONSTRAINT "sync_files_stored" CHECK ("sync_files"."status" <> 'stored' or num_nulls("sync_files"."shape", "sync_files"."fields") = 0)
);
--> statement-breakpoint
CREATE TABLE "sync_refusals" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"slice" integer NOT NULL,
	"records" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sync_refusals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "sync_runs" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"total" integer,
	"created" integer NOT NULL,
	"updated" integer NOT NULL,
	"skipped" integer NOT NULL,
	"failed" integer NOT NULL,
	"cursor" jsonb,
	"slices_count" integer DEFAULT 0 NOT NULL,
	"progress" integer,
	"file_id" uuid,
	"tries_count" integer DEFAULT 0 NOT NULL,
	"failure" jsonb,
	"next_check_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sync_runs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sync_runs_mode_known" CHECK ("sync_runs"."mode" in ('live', 'backfill')),
	CONSTRAINT "sync_runs_status_known" CHECK ("sync_runs"."status" in ('queued', 'succeeded', 'partial', 'failed', 'running', 'paused', 'canceled')),
	CONSTRAINT "sync_runs_counts" CHECK (least("sync_runs"."created", "sync_runs"."updated", "sync_runs"."skipped", "sync_runs"."failed") >= 0),
	CONSTRAINT "sync_runs_finished" CHECK (("sync_runs"."finished_at" is not null) = ("sync_runs"."status" in ('succeeded', 'partial', 'failed', 'canceled'))),
	CONSTRAINT "sync_runs_due" CHECK (("sync_runs"."next_check_at" is not null) = ("sync_runs"."status" in ('queued', 'running')))
);
--> statement-breakpoint
CREATE TABLE "sync_sources" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"failure" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sync_sources_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sync_sources_kind_known" CHECK ("sync_sources"."kind" in ('push', 'csv', 'stripe')),
	CONSTRAINT "sync_sources_status_known" CHECK ("sync_sources"."status" in ('created', 'error', 'connecting', 'paused', 'active', 'disconnected')),
	CONSTRAINT "sync_sources_failure" CHECK ("sync_sources"."status" <> 'error' or "sync_sources"."failure" is not null)
);
--> statement-breakpoint
CREATE TABLE "dining_tables" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"seats_count" integer,
	"location_id" uuid,
	"metadata" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dining_tables_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "dining_tables_public_id_form" CHECK ("dining_tables"."public_id" ~ '^stable_[a-z0-9]{32}$'),
	CONSTRAINT "dining_tables_status_known" CHECK ("dining_tables"."status" in ('active', 'archived')),
	CONSTRAINT "dining_tables_name_length" CHECK (char_length("dining_tables"."name") between 1 and 60),
	CONSTRAINT "dining_tables_seats" CHECK ("dining_tables"."seats_count" between 1 and 500)
);
--> statement-breakpoint
CREATE TABLE "table_external_payments" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"status" text NOT NULL,
	"method" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"tip_minor" bigint NOT NULL,
	"waiter_id" uuid,
	"note" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "table_external_payments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "table_external_payments_status_known" CHECK ("table_external_payments"."status" in ('recorded', 'canceled')),
	CONSTRAINT "table_external_payments_method_known" CHECK ("table_external_payments"."method" in ('cash', 'other_terminal', 'bank_transfer', 'other')),
	CONSTRAINT "table_external_payments_amount" CHECK ("table_external_payments"."amount_minor" between 1 and 999999999999),
	CONSTRAINT "table_external_payments_tip" CHECK ("table_external_payments"."tip_minor" between 0 and 999999999999)
);
--> statement-breakpoint
CREATE TABLE "table_lines" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"status" text NOT NULL,
	"position" integer NOT NULL,
	"item_id" uuid,
	"name" text NOT NULL,
	"quantity" integer NOT NULL,
	"unit_amount_minor" bigint NOT NULL,
	"iva_rate" text NOT NULL,
	"price_includes_tax" boolean NOT NULL,
	"total_minor" bigint NOT NULL,
	"split_from" uuid,
	"payment_id" uuid,
	"external_payment_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "table_lines_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "table_lines_position" UNIQUE("tenant_id","session_id","position"),
	CONSTRAINT "table_lines_status_known" CHECK ("table_lines"."status" in ('ordered', 'void', 'split')),
	CONSTRAINT "table_lines_iva_rate_known" CHECK ("table_lines"."iva_rate" in ('16', '8', '0', 'exempt')),
	CONSTRAINT "table_lines_name_length" CHECK (char_length("table_lines"."name") between 1 and 1600),
	CONSTRAINT "table_lines_quantity" CHECK ("table_lines"."quantity" between 1 and 10000),
	CONSTRAINT "table_lines_priced" CHECK ("table_lines"."unit_amount_minor" > 0 and "table_lines"."total_minor" = "table_lines"."unit_amount_minor" * "table_lines"."quantity"
        + case when "table_lines"."price_includes_tax" or "table_lines"."iva_rate" = 'exempt' then 0
          else ("table_lines"."unit_amount_minor" * "table_lines"."quantity" * "table_lines"."iva_rate"::int * 2 + 100) / 200 end),
	CONSTRAINT "table_lines_paid_once" CHECK ("table_lines"."payment_id" is null or "table_lines"."external_payment_id" is null),
	CONSTRAINT "table_lines_claimed" CHECK ("table_lines"."status" = 'ordered' or ("table_lines"."payment_id" is null and "table_lines"."external_payment_id" is null))
);
--> statement-breakpoint
CREATE TABLE "table_session_sums" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"total_minor" bigint NOT NULL,
	"held_minor" bigint NOT NULL,
	"paid_minor" bigint NOT NULL,
	"tips_minor" bigint NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"announced_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "table_session_sums_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "table_session_sums_held" CHECK ("table_session_sums"."held_minor" >= 0),
	CONSTRAINT "table_session_sums_paid" CHECK ("table_session_sums"."paid_minor" >= 0),
	CONSTRAINT "table_session_sums_tips" CHECK ("table_session_sums"."tips_minor" >= 0),
	CONSTRAINT "table_sessions_total" CHECK ("table_session_sums"."total_minor" between 0 and 999999999999),
	CONSTRAINT "table_sessions_bounded" CHECK ("table_session_sums"."held_minor" + "table_session_sums"."paid_minor" <= "table_session_sums"."total_minor")
);
--> statement-breakpoint
CREATE TABLE "table_sessions" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"table_id" uuid NOT NULL,
	"name" text NOT NULL,
	"guests_count" integer,
	"waiter_id" uuid,
	"currency" text NOT NULL,
	"payment_method_types" text[] NOT NULL,
	"tip_options" jsonb,
	"discount_minor" bigint NOT NULL,
	"pin_hash" text,
	"client_reference_id" text,
	"metadata" jsonb NOT NULL,
	"terms_version" integer DEFAULT 1 NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"merged_into" uuid,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"location_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "table_sessions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "table_sessions_public_id_form" CHECK ("table_sessions"."public_id" ~ '^sbill_[a-z0-9]{32}$'),
	CONSTRAINT "table_sessions_status_known" CHECK ("table_sessions"."status" in ('open', 'closed', 'void', 'merged')),
	CONSTRAINT "table_sessions_closed" CHECK (("table_sessions"."status" = 'open') = ("table_sessions"."closed_at" is null)),
	CONSTRAINT "table_sessions_merged" CHECK (("table_sessions"."status" = 'merged') = ("table_sessions"."merged_into" is not null) and "table_sessions"."merged_into" is distinct from "table_sessions"."id"
        and ("table_sessions"."status" <> 'merged' or "table_sessions"."discount_minor" = 0)),
	CONSTRAINT "table_sessions_guests" CHECK ("table_sessions"."guests_count" between 1 and 500),
	CONSTRAINT "table_sessions_pin_hashed" CHECK ("table_sessions"."pin_hash" ~ '^pbkdf2-sha256\.'),
	CONSTRAINT "table_sessions_currency" CHECK ("table_sessions"."currency" = 'mxn'),
	CONSTRAINT "table_sessions_methods_some" CHECK (cardinality("table_sessions"."payment_method_types") >= 1),
	CONSTRAINT "table_sessions_discount" CHECK ("table_sessions"."discount_minor" between 0 and 999999999999)
);
--> statement-breakpoint
CREATE TABLE "table_tips" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"waiter_id" uuid NOT NULL,
	"session_id" uuid,
	"payment_id" uuid,
	"external_payment_id" uuid,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"returned_minor" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "table_tips_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "table_tips_of_one" CHECK (num_nonnulls("table_tips"."payment_id", "table_tips"."external_payment_id") = 1 and "table_tips"."id" = coalesce("table_tips"."payment_id", "table_tips"."external_payment_id")),
	CONSTRAINT "table_tips_currency" CHECK ("table_tips"."currency" = 'mxn'),
	CONSTRAINT "table_tips_of_bill" CHECK ("table_tips"."external_payment_id" is null or "table_tips"."session_id" is not null),
	CONSTRAINT "table_tips_amount" CHECK ("table_tips"."amount_minor" > 0 and "table_tips"."returned_minor" between 0 and "table_tips"."amount_minor")
);
--> statement-breakpoint
CREATE TABLE "tip_payouts" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"waiter_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"note" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tip_payouts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "tip_payouts_status_known" CHECK ("tip_payouts"."status" in ('recorded', 'canceled')),
	CONSTRAINT "tip_payouts_amount" CHECK ("tip_payouts"."amount_minor" between 1 and 999999999999)
);
--> statement-breakpoint
CREATE TABLE "waiters" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"payroll_reference" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "waiters_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "waiters_status_known" CHECK ("waiters"."status" in ('active', 'archived')),
	CONSTRAINT "waiters_name_length" CHECK (char_length("waiters"."name") between 1 and 80),
	CONSTRAINT "waiters_payroll_reference_length" CHECK (char_length("waiters"."payroll_reference") between 1 and 60)
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"tenant_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"email_unconfirmed" boolean DEFAULT false NOT NULL,
	"role" text NOT NULL,
	"status" text NOT NULL,
	"invitation_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_tenant_id_user_id_pk" PRIMARY KEY("tenant_id","user_id"),
	CONSTRAINT "memberships_id" UNIQUE("tenant_id","id"),
	CONSTRAINT "memberships_role_known" CHECK ("memberships"."role" in ('owner', 'admin', 'member')),
	CONSTRAINT "memberships_status_known" CHECK ("memberships"."status" in ('active', 'removed'))
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"support_email" text,
	"support_phone" text,
	"website_url" text,
	"fiscal_profile" jsonb,
	"branding" jsonb,
	"details_change" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tenants_events_of" UNIQUE("tenant_id","id"),
	CONSTRAINT "tenants_id_form" CHECK ("tenants"."tenant_id"::text ~ '^(3[0-9]|6[1-9a-f]|7[0-9a])'),
	CONSTRAINT "tenants_status_known" CHECK ("tenants"."status" in ('active', 'pending', 'in_review', 'suspended', 'closed')),
	CONSTRAINT "tenants_status_reason_length" CHECK (char_length("tenants"."status_reason") between 1 and 500),
	CONSTRAINT "tenants_name_length" CHECK (char_length("tenants"."name") between 1 and 120),
	CONSTRAINT "tenants_support_email_form" CHECK ("tenants"."support_email" ~ '^[^@]+@[^@]+$' and char_length("tenants"."support_email") <= 254),
	CONSTRAINT "tenants_support_phone_form" CHECK ("tenants"."support_phone" ~ '^\+[1-9][0-9]{6,14}$'),
	CONSTRAINT "tenants_website_form" CHECK ("tenants"."website_url" ~ '^https://'),
	CONSTRAINT "tenants_fiscal_profile_form" CHECK ("tenants"."fiscal_profile" is null or ("tenants"."fiscal_profile"->>'rfc' ~ '^[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{2}[A0-9]$' and "tenants"."fiscal_profile"->>'tax_regime' ~ '^6[0-9]{2}$' and "tenants"."fiscal_profile"->>'postal_code' ~ '^[0-9]{5}$' and char_length("tenants"."fiscal_profile"->>'legal_name') between 1 and 254) is true),
	CONSTRAINT "tenants_branding_form" CHECK ("tenants"."branding" is null or (char_length(coalesce("tenants"."branding"->>'brand_name', 'x')) between 1 and 120 and concat_ws(',', "tenants"."branding"->>'primary_color', "tenants"."branding"->>'button_text_color', "tenants"."branding"->>'background_color', "tenants"."branding"->>'accent_color') ~ '^(#[0-9a-f]{6}(,|$))*$' and coalesce("tenants"."branding"->'logo'->>'address', repeat('0', 32)) ~ '^[a-z0-9]{32}$') is true)
);
--> statement-breakpoint
CREATE TABLE "terminal_configurations" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"tips" jsonb,
	"languages" jsonb NOT NULL,
	"offline_enabled" boolean NOT NULL,
	"currency" text NOT NULL,
	"amount_max_minor" bigint NOT NULL,
	"stored_amount_max_minor" bigint NOT NULL,
	"stored_hours_max" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "terminal_configurations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "terminal_configurations_status_known" CHECK ("terminal_configurations"."status" in ('active', 'archived')),
	CONSTRAINT "terminal_configurations_name_length" CHECK (char_length("terminal_configurations"."name") between 1 and 120),
	CONSTRAINT "terminal_configurations_tips_offered" CHECK ("terminal_configurations"."tips" is null or (jsonb_array_length("terminal_configurations"."tips"->'presets') between 0 and 4
          and ("terminal_configurations"."tips" @> '{"allows_other": true}' or jsonb_array_length("terminal_configurations"."tips"->'presets') > 0)) is true),
	CONSTRAINT "terminal_configurations_languages_known" CHECK ("terminal_configurations"."languages" in ('["es-MX"]', '["en"]', '["es-MX", "en"]', '["en", "es-MX"]')),
	CONSTRAINT "terminal_configurations_currency_form" CHECK ("terminal_configurations"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "terminal_configurations_amounts" CHECK ("terminal_configurations"."amount_max_minor" between 1 and "terminal_configurations"."stored_amount_max_minor" and "terminal_configurations"."stored_amount_max_minor" <= 999999999999),
	CONSTRAINT "terminal_configurations_hours" CHECK ("terminal_configurations"."stored_hours_max" between 1 and 72)
);
--> statement-breakpoint
CREATE TABLE "incoming_transfers" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
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
          and "transfers"."destination_tenant_id" <> 'tn_' || replace("transfers"."tenant_id"::text, '-', '') and "transfers"."destination_clabe" is null))
);
--> statement-breakpoint
CREATE TABLE "unpaid_holds" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"resource_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"network_digest" text NOT NULL,
	"contact_digest" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unpaid_holds_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "unpaid_holds_quantity_positive" CHECK ("unpaid_holds"."quantity" > 0)
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"tenant_id" uuid NOT NULL,
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
	CONSTRAINT "webhook_attempts_failure_known" CHECK ("webhook_attempts"."failure" in ('address', 'dns', 'connection', 'timeout', 'redirect', 'gone', 'status', 'secret'))
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
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
        and ("webhook_endpoints"."disabled_reason" is null or "webhook_endpoints"."disabled_reason" in ('by_hand', 'gone', 'failing', 'secret'))),
	CONSTRAINT "webhook_endpoints_event_types_count" CHECK (cardinality("webhook_endpoints"."event_types") between 1 and 100),
	CONSTRAINT "webhook_endpoints_url_length" CHECK (char_length("webhook_endpoints"."url") between 1 and 2048)
);
--> statement-breakpoint
CREATE TABLE "webhook_recoveries" (
	"tenant_id" uuid NOT NULL,
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
	"tenant_id" uuid NOT NULL,
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
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyer_details" ADD CONSTRAINT "buyer_details_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_tries" ADD CONSTRAINT "card_tries_attempt" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_recoveries" ADD CONSTRAINT "checkout_recoveries_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."checkout_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_recovered_from" FOREIGN KEY ("tenant_id","recovered_from") REFERENCES "public"."checkout_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_catalog" FOREIGN KEY ("tenant_id","catalog_public_id") REFERENCES "public"."digital_catalogs"("tenant_id","public_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_policy_version" FOREIGN KEY ("tenant_id","policy_version") REFERENCES "public"."payment_policy_versions"("tenant_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_settings" ADD CONSTRAINT "checkout_settings_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_merges" ADD CONSTRAINT "customer_merges_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_merges" ADD CONSTRAINT "customer_merges_survivor" FOREIGN KEY ("tenant_id","survivor_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_consents" ADD CONSTRAINT "customer_consents_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_consents" ADD CONSTRAINT "customer_consents_contact" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."customer_contacts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_contacts" ADD CONSTRAINT "customer_contacts_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_notes" ADD CONSTRAINT "customer_notes_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_terms" ADD CONSTRAINT "customer_terms_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_timeline" ADD CONSTRAINT "customer_timeline_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_survivor" FOREIGN KEY ("tenant_id","merged_into") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "daily_spend" ADD CONSTRAINT "daily_spend_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attestation_challenges" ADD CONSTRAINT "attestation_challenges_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_credentials" ADD CONSTRAINT "device_credentials_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_pairing_codes" ADD CONSTRAINT "device_pairing_codes_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_places" ADD CONSTRAINT "device_places_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_places" ADD CONSTRAINT "device_places_account" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."processor_credentials"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_terminal_configuration" FOREIGN KEY ("tenant_id","terminal_configuration_id") REFERENCES "public"."terminal_configurations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_account" FOREIGN KEY ("tenant_id","processor_account_id") REFERENCES "public"."processor_credentials"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_attestation" FOREIGN KEY ("tenant_id","attestation_id","id","pairings_count","attested_by","attested_app","attested_environment","attested_at") REFERENCES "public"."phone_attestations"("tenant_id","id","device_id","pairing","provider","app","environment","created_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_attestations" ADD CONSTRAINT "phone_attestations_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_attestations" ADD CONSTRAINT "phone_attestations_challenge" FOREIGN KEY ("tenant_id","challenge_id","device_id","pairing","created_at") REFERENCES "public"."attestation_challenges"("tenant_id","id","device_id","pairing","used_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_categories" ADD CONSTRAINT "catalog_categories_catalog" FOREIGN KEY ("tenant_id","catalog_id") REFERENCES "public"."digital_catalogs"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_images" ADD CONSTRAINT "catalog_images_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_item_terms" ADD CONSTRAINT "catalog_item_terms_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_items" ADD CONSTRAINT "catalog_items_catalog" FOREIGN KEY ("tenant_id","catalog_id") REFERENCES "public"."digital_catalogs"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_items" ADD CONSTRAINT "catalog_items_category" FOREIGN KEY ("tenant_id","catalog_id","category_id") REFERENCES "public"."catalog_categories"("tenant_id","catalog_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_items" ADD CONSTRAINT "catalog_items_parent" FOREIGN KEY ("tenant_id","catalog_id","variant_of") REFERENCES "public"."catalog_items"("tenant_id","catalog_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_prices" ADD CONSTRAINT "catalog_prices_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_prices" ADD CONSTRAINT "catalog_prices_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD CONSTRAINT "digital_catalogs_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD CONSTRAINT "digital_catalogs_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_discount" FOREIGN KEY ("tenant_id","discount_id") REFERENCES "public"."discounts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."checkout_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discounts" ADD CONSTRAINT "discounts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_files" ADD CONSTRAINT "dispute_files_dispute" FOREIGN KEY ("tenant_id","dispute_id") REFERENCES "public"."disputes"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivered_files" ADD CONSTRAINT "delivered_files_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlement_downloads" ADD CONSTRAINT "entitlement_downloads_entitlement" FOREIGN KEY ("tenant_id","entitlement_id") REFERENCES "public"."entitlements"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlement_downloads" ADD CONSTRAINT "entitlement_downloads_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."delivered_files"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_session" FOREIGN KEY ("tenant_id","checkout_session_id") REFERENCES "public"."checkout_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "license_keys" ADD CONSTRAINT "license_keys_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "license_keys" ADD CONSTRAINT "license_keys_entitlement" FOREIGN KEY ("tenant_id","entitlement_id") REFERENCES "public"."entitlements"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fraud_warnings" ADD CONSTRAINT "fraud_warnings_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fraud_warnings" ADD CONSTRAINT "fraud_warnings_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_tokens" ADD CONSTRAINT "connection_tokens_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_tokens" ADD CONSTRAINT "connection_tokens_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "in_person_payments" ADD CONSTRAINT "in_person_payments_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "in_person_payments" ADD CONSTRAINT "in_person_payments_waiter" FOREIGN KEY ("tenant_id","waiter_id") REFERENCES "public"."waiters"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "in_person_payments" ADD CONSTRAINT "in_person_payments_policy_version" FOREIGN KEY ("tenant_id","policy_version") REFERENCES "public"."payment_policy_versions"("tenant_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "in_person_payments" ADD CONSTRAINT "in_person_payments_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_actions" ADD CONSTRAINT "reader_actions_reader" FOREIGN KEY ("tenant_id","reader_id","device_kind") REFERENCES "public"."devices"("tenant_id","id","kind") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_actions" ADD CONSTRAINT "reader_actions_in_person_payment" FOREIGN KEY ("tenant_id","in_person_payment_id") REFERENCES "public"."in_person_payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_actions" ADD CONSTRAINT "reader_actions_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_actions" ADD CONSTRAINT "reader_actions_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."tap_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_actions" ADD CONSTRAINT "reader_actions_tip_action" FOREIGN KEY ("tenant_id","tip_action_id") REFERENCES "public"."reader_actions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tap_sessions" ADD CONSTRAINT "tap_sessions_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tap_sessions" ADD CONSTRAINT "tap_sessions_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tap_sessions" ADD CONSTRAINT "tap_sessions_connection_token" FOREIGN KEY ("tenant_id","connection_token_id") REFERENCES "public"."connection_tokens"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tap_sessions" ADD CONSTRAINT "tap_sessions_account" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."processor_credentials"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_hours" ADD CONSTRAINT "insight_hours_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insight_watches" ADD CONSTRAINT "insight_watches_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insights" ADD CONSTRAINT "insights_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_terminal_configuration" FOREIGN KEY ("tenant_id","terminal_configuration_id") REFERENCES "public"."terminal_configurations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "logos" ADD CONSTRAINT "logos_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_notices" ADD CONSTRAINT "mail_notices_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspace_invitations" ADD CONSTRAINT "workspace_invitations_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_allowances" ADD CONSTRAINT "offline_allowances_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_allowances" ADD CONSTRAINT "offline_allowances_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_allowances" ADD CONSTRAINT "offline_allowances_configuration" FOREIGN KEY ("tenant_id","configuration_id") REFERENCES "public"."terminal_configurations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_losses" ADD CONSTRAINT "offline_losses_offline_payment" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."offline_payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_losses" ADD CONSTRAINT "offline_losses_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_losses" ADD CONSTRAINT "offline_losses_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_losses" ADD CONSTRAINT "offline_losses_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_payments" ADD CONSTRAINT "offline_payments_device" FOREIGN KEY ("tenant_id","device_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_payments" ADD CONSTRAINT "offline_payments_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_payments" ADD CONSTRAINT "offline_payments_allowance" FOREIGN KEY ("tenant_id","allowance_id","device_id") REFERENCES "public"."offline_allowances"("tenant_id","id","device_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_payments" ADD CONSTRAINT "offline_payments_in_person_payment" FOREIGN KEY ("tenant_id","in_person_payment_id") REFERENCES "public"."in_person_payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_payments" ADD CONSTRAINT "offline_payments_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_contacts" ADD CONSTRAINT "payment_contacts_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_invoices" ADD CONSTRAINT "payment_invoices_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_invoices" ADD CONSTRAINT "payment_invoices_replaces" FOREIGN KEY ("tenant_id","replaces_id","payment_id") REFERENCES "public"."payment_invoices"("tenant_id","id","payment_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link_templates" ADD CONSTRAINT "payment_link_templates_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link_uses" ADD CONSTRAINT "payment_link_uses_link" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."payment_links"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link_views" ADD CONSTRAINT "payment_link_views_link" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."payment_links"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_item" FOREIGN KEY ("tenant_id","catalog_item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_template" FOREIGN KEY ("tenant_id","template_id") REFERENCES "public"."payment_link_templates"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_policy_version" FOREIGN KEY ("tenant_id","policy_version") REFERENCES "public"."payment_policy_versions"("tenant_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_policies" ADD CONSTRAINT "payment_policies_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_policy_versions" ADD CONSTRAINT "payment_policy_versions_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_policy_versions" ADD CONSTRAINT "payment_policy_versions_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_account" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."processor_credentials"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_replaces" FOREIGN KEY ("tenant_id","replaces_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_policy_version" FOREIGN KEY ("tenant_id","policy_version") REFERENCES "public"."payment_policy_versions"("tenant_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_entries" ADD CONSTRAINT "payout_entries_payout" FOREIGN KEY ("tenant_id","payout_id") REFERENCES "public"."payouts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_entries" ADD CONSTRAINT "payout_entries_activity" FOREIGN KEY ("tenant_id","activity_id") REFERENCES "public"."balance_activity"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_settings" ADD CONSTRAINT "payout_settings_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_settings" ADD CONSTRAINT "payout_settings_bank_account" FOREIGN KEY ("tenant_id","bank_account_id") REFERENCES "public"."bank_accounts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_account" FOREIGN KEY ("tenant_id","account_id") REFERENCES "public"."processor_credentials"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attestation_settings" ADD CONSTRAINT "attestation_settings_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_apps" ADD CONSTRAINT "phone_apps_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_movements" ADD CONSTRAINT "cash_movements_shift" FOREIGN KEY ("tenant_id","shift_id") REFERENCES "public"."register_shifts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cash_movements" ADD CONSTRAINT "cash_movements_order" FOREIGN KEY ("tenant_id","order_id") REFERENCES "public"."register_orders"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "register_codes" ADD CONSTRAINT "register_codes_register" FOREIGN KEY ("tenant_id","register_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "register_orders" ADD CONSTRAINT "register_orders_register" FOREIGN KEY ("tenant_id","register_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "register_orders" ADD CONSTRAINT "register_orders_shift" FOREIGN KEY ("tenant_id","shift_id") REFERENCES "public"."register_shifts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "register_orders" ADD CONSTRAINT "register_orders_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "register_orders" ADD CONSTRAINT "register_orders_replaced_by" FOREIGN KEY ("tenant_id","replaced_by") REFERENCES "public"."register_orders"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "register_orders" ADD CONSTRAINT "register_orders_policy_version" FOREIGN KEY ("tenant_id","policy_version") REFERENCES "public"."payment_policy_versions"("tenant_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "register_orders" ADD CONSTRAINT "register_orders_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "register_shifts" ADD CONSTRAINT "register_shifts_register" FOREIGN KEY ("tenant_id","register_id") REFERENCES "public"."devices"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "processor_credentials" ADD CONSTRAINT "processor_credentials_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyer_balance_movements" ADD CONSTRAINT "buyer_balance_movements_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clabes" ADD CONSTRAINT "clabes_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clabes" ADD CONSTRAINT "clabes_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spei_deposits" ADD CONSTRAINT "spei_deposits_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds" ADD CONSTRAINT "unapplied_funds_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds" ADD CONSTRAINT "unapplied_funds_deposit" FOREIGN KEY ("tenant_id","deposit_id") REFERENCES "public"."spei_deposits"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds" ADD CONSTRAINT "unapplied_funds_voucher" FOREIGN KEY ("tenant_id","voucher_id") REFERENCES "public"."vouchers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds" ADD CONSTRAINT "unapplied_funds_movement" FOREIGN KEY ("tenant_id","movement_id") REFERENCES "public"."buyer_balance_movements"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds_applications" ADD CONSTRAINT "unapplied_funds_applications_funds" FOREIGN KEY ("tenant_id","unapplied_funds_id") REFERENCES "public"."unapplied_funds"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds_applications" ADD CONSTRAINT "unapplied_funds_applications_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds_applications" ADD CONSTRAINT "unapplied_funds_applications_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds_withdrawals" ADD CONSTRAINT "unapplied_funds_withdrawals_funds" FOREIGN KEY ("tenant_id","unapplied_funds_id") REFERENCES "public"."unapplied_funds"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unapplied_funds_withdrawals" ADD CONSTRAINT "unapplied_funds_withdrawals_movement" FOREIGN KEY ("tenant_id","movement_id") REFERENCES "public"."buyer_balance_movements"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vouchers" ADD CONSTRAINT "vouchers_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_unapplied_funds" FOREIGN KEY ("tenant_id","unapplied_funds_id") REFERENCES "public"."unapplied_funds"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_account_mappings" ADD CONSTRAINT "report_account_mappings_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_deliveries" ADD CONSTRAINT "report_deliveries_run" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."report_runs"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_deliveries" ADD CONSTRAINT "report_deliveries_member" FOREIGN KEY ("tenant_id","member_id") REFERENCES "public"."memberships"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_hours" ADD CONSTRAINT "report_hours_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_runs" ADD CONSTRAINT "report_runs_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_runs" ADD CONSTRAINT "report_runs_schedule" FOREIGN KEY ("tenant_id","schedule_id") REFERENCES "public"."report_schedules"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_runs" ADD CONSTRAINT "report_runs_payout" FOREIGN KEY ("tenant_id","payout_id") REFERENCES "public"."payouts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_runs" ADD CONSTRAINT "report_runs_mapping" FOREIGN KEY ("tenant_id","mapping_id") REFERENCES "public"."report_account_mappings"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "risk_backtests" ADD CONSTRAINT "risk_backtests_rule" FOREIGN KEY ("tenant_id","rule_id") REFERENCES "public"."risk_rules"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "risk_evaluations" ADD CONSTRAINT "risk_evaluations_attempt" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "risk_list_items" ADD CONSTRAINT "risk_list_items_list" FOREIGN KEY ("tenant_id","list_id") REFERENCES "public"."risk_lists"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "risk_list_items" ADD CONSTRAINT "risk_list_items_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "risk_lists" ADD CONSTRAINT "risk_lists_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "risk_reviews" ADD CONSTRAINT "risk_reviews_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "risk_reviews" ADD CONSTRAINT "risk_reviews_attempt" FOREIGN KEY ("tenant_id","attempt_id") REFERENCES "public"."payment_attempts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "risk_rules" ADD CONSTRAINT "risk_rules_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_clocks" ADD CONSTRAINT "sandbox_clocks_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segment_pins" ADD CONSTRAINT "segment_pins_segment" FOREIGN KEY ("tenant_id","segment_id") REFERENCES "public"."segments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segment_pins" ADD CONSTRAINT "segment_pins_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segments" ADD CONSTRAINT "segments_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "step_up_challenges" ADD CONSTRAINT "step_up_challenges_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_level" FOREIGN KEY ("tenant_id","level_id") REFERENCES "public"."stock_levels"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_reservation" FOREIGN KEY ("tenant_id","reservation_id") REFERENCES "public"."stock_reservations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_reservations" ADD CONSTRAINT "stock_reservations_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stripe_connections" ADD CONSTRAINT "stripe_connections_source" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_external_ids" ADD CONSTRAINT "customer_external_ids_source" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_external_ids" ADD CONSTRAINT "customer_external_ids_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_files" ADD CONSTRAINT "sync_files_source" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_refusals" ADD CONSTRAINT "sync_refusals_source" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_refusals" ADD CONSTRAINT "sync_refusals_run" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."sync_runs"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_source" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."sync_files"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_sources" ADD CONSTRAINT "sync_sources_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dining_tables" ADD CONSTRAINT "dining_tables_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dining_tables" ADD CONSTRAINT "dining_tables_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_external_payments" ADD CONSTRAINT "table_external_payments_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."table_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_external_payments" ADD CONSTRAINT "table_external_payments_waiter" FOREIGN KEY ("tenant_id","waiter_id") REFERENCES "public"."waiters"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_lines" ADD CONSTRAINT "table_lines_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."table_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_lines" ADD CONSTRAINT "table_lines_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_lines" ADD CONSTRAINT "table_lines_external_payment" FOREIGN KEY ("tenant_id","external_payment_id") REFERENCES "public"."table_external_payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_session_sums" ADD CONSTRAINT "table_session_sums_session" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."table_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_sessions" ADD CONSTRAINT "table_sessions_table" FOREIGN KEY ("tenant_id","table_id") REFERENCES "public"."dining_tables"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_sessions" ADD CONSTRAINT "table_sessions_waiter" FOREIGN KEY ("tenant_id","waiter_id") REFERENCES "public"."waiters"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_sessions" ADD CONSTRAINT "table_sessions_merged_into" FOREIGN KEY ("tenant_id","merged_into") REFERENCES "public"."table_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_sessions" ADD CONSTRAINT "table_sessions_policy_version" FOREIGN KEY ("tenant_id","policy_version") REFERENCES "public"."payment_policy_versions"("tenant_id","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_sessions" ADD CONSTRAINT "table_sessions_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_tips" ADD CONSTRAINT "table_tips_waiter" FOREIGN KEY ("tenant_id","waiter_id") REFERENCES "public"."waiters"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_tips" ADD CONSTRAINT "table_tips_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."table_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_tips" ADD CONSTRAINT "table_tips_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "table_tips" ADD CONSTRAINT "table_tips_external_payment" FOREIGN KEY ("tenant_id","external_payment_id") REFERENCES "public"."table_external_payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tip_payouts" ADD CONSTRAINT "tip_payouts_waiter" FOREIGN KEY ("tenant_id","waiter_id") REFERENCES "public"."waiters"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiters" ADD CONSTRAINT "waiters_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terminal_configurations" ADD CONSTRAINT "terminal_configurations_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incoming_transfers" ADD CONSTRAINT "incoming_transfers_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_api_key" FOREIGN KEY ("tenant_id","api_key_id") REFERENCES "public"."api_keys"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("tenant_id","delivery_id") REFERENCES "public"."webhook_deliveries"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint" FOREIGN KEY ("tenant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event" FOREIGN KEY ("tenant_id","event_id") REFERENCES "public"."events"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_recoveries" ADD CONSTRAINT "webhook_recoveries_endpoint" FOREIGN KEY ("tenant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint" FOREIGN KEY ("tenant_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_kid" ON "api_keys" USING btree ("kid");--> statement-breakpoint
CREATE INDEX "api_keys_list" ON "api_keys" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_due" ON "api_keys" USING btree ("updated_at") WHERE status in ('provisioning', 'rotating', 'revoking') or (status = 'active' and expires_at is not null);--> statement-breakpoint
CREATE INDEX "audit_events_list" ON "audit_events" USING btree ("tenant_id","created_at","id","operation");--> statement-breakpoint
CREATE INDEX "audit_events_list_by_kind" ON "audit_events" USING btree ("tenant_id","actor_type","created_at","id") WHERE "audit_events"."actor_type" <> 'api_key' and "audit_events"."actor_type" <> 'public_id' and "audit_events"."actor_type" <> 'system';--> statement-breakpoint
CREATE INDEX "audit_events_list_by_actor" ON "audit_events" USING btree ("tenant_id","actor_id","created_at","id") WHERE "audit_events"."actor_id" <> 'buyer' and "audit_events"."actor_id" <> 'system';--> statement-breakpoint
CREATE UNIQUE INDEX "bank_accounts_reference" ON "bank_accounts" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_accounts_live" ON "bank_accounts" USING btree ("tenant_id","clabe") WHERE status in ('pending_verification', 'verified');--> statement-breakpoint
CREATE INDEX "bank_accounts_list" ON "bank_accounts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "bank_accounts_due" ON "bank_accounts" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "buyer_details_origin" ON "buyer_details" USING btree ("tenant_id","origin_id","created_at","id");--> statement-breakpoint
CREATE INDEX "buyer_details_payment" ON "buyer_details" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE INDEX "buyer_details_list_by_email" ON "buyer_details" USING btree ("tenant_id","email") WHERE email is not null;--> statement-breakpoint
CREATE INDEX "buyer_details_by_email" ON "buyer_details" USING gin ("email_digests") WHERE email_digests <> '{}';--> statement-breakpoint
CREATE INDEX "card_tries_of_network" ON "card_tries" USING btree ("tenant_id","network_digest","created_at");--> statement-breakpoint
CREATE INDEX "card_tries_failed" ON "card_tries" USING btree ("tenant_id","network_digest","created_at") WHERE has_failed;--> statement-breakpoint
CREATE INDEX "card_tries_failed_at_sale" ON "card_tries" USING btree ("tenant_id","origin_id","created_at") WHERE has_failed;--> statement-breakpoint
CREATE INDEX "card_tries_confirmed" ON "card_tries" USING btree ("tenant_id","network_digest","origin_id","created_at") WHERE is_confirmed;--> statement-breakpoint
CREATE INDEX "card_tries_of_contact" ON "card_tries" USING btree ("tenant_id","contact_digest","created_at") WHERE contact_digest is not null;--> statement-breakpoint
CREATE INDEX "card_tries_of_card" ON "card_tries" USING btree ("tenant_id","card_digest","created_at");--> statement-breakpoint
CREATE INDEX "card_tries_swept" ON "card_tries" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_recoveries_one" ON "checkout_recoveries" USING btree ("tenant_id","session_id");--> statement-breakpoint
CREATE INDEX "checkout_recoveries_by_email" ON "checkout_recoveries" USING btree ("tenant_id","email") WHERE email is not null;--> statement-breakpoint
CREATE INDEX "checkout_recoveries_due" ON "checkout_recoveries" USING btree ("mail_at") WHERE mail_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_sessions_public_id" ON "checkout_sessions" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_sessions_receipt_ref" ON "checkout_sessions" USING btree ("receipt_ref") WHERE receipt_ref is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_sessions_recovered_once" ON "checkout_sessions" USING btree ("tenant_id","recovered_from") WHERE recovered_from is not null;--> statement-breakpoint
CREATE INDEX "checkout_sessions_by_email" ON "checkout_sessions" USING btree ("tenant_id","customer_email") WHERE customer_email is not null;--> statement-breakpoint
CREATE INDEX "checkout_sessions_list" ON "checkout_sessions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "checkout_sessions_list_by_status" ON "checkout_sessions" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "checkout_sessions_list_by_reference" ON "checkout_sessions" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "checkout_sessions_list_by_customer" ON "checkout_sessions" USING btree ("tenant_id","customer_id","created_at","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "checkout_sessions_due" ON "checkout_sessions" USING btree ("expires_at") WHERE status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_settings_one" ON "checkout_settings" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_merges_one" ON "customer_merges" USING btree ("tenant_id","customer_id") WHERE status = 'merged';--> statement-breakpoint
CREATE INDEX "customer_merges_of_survivor" ON "customer_merges" USING btree ("tenant_id","survivor_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_consents_given" ON "customer_consents" USING btree ("tenant_id","contact_id","channel","purpose") WHERE status = 'given';--> statement-breakpoint
CREATE INDEX "customer_consents_list" ON "customer_consents" USING btree ("tenant_id","customer_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_contacts_own" ON "customer_contacts" USING btree ("tenant_id","customer_id","kind","value") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "customer_contacts_verified" ON "customer_contacts" USING btree ("tenant_id","kind","value") WHERE status = 'active' and verified_at is not null;--> statement-breakpoint
CREATE INDEX "customer_contacts_mailbox" ON "customer_contacts" USING btree ("tenant_id","mailbox") WHERE status = 'active' and verified_at is not null and mailbox is not null;--> statement-breakpoint
CREATE INDEX "customer_contacts_list" ON "customer_contacts" USING btree ("tenant_id","customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "customer_notes_list" ON "customer_notes" USING btree ("tenant_id","customer_id","created_at","id") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "customer_timeline_list" ON "customer_timeline" USING btree ("tenant_id","customer_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "customer_timeline_list_by_resource_type" ON "customer_timeline" USING btree ("tenant_id","customer_id","resource_type","occurred_at","id");--> statement-breakpoint
CREATE INDEX "customers_to_erase" ON "customers" USING btree ("erase_at") WHERE erase_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "customers_external_id" ON "customers" USING btree ("tenant_id","external_id") WHERE external_id is not null and status in ('active', 'blocked');--> statement-breakpoint
CREATE INDEX "customers_list" ON "customers" USING btree ("tenant_id","created_at","id") WHERE status in ('active', 'blocked');--> statement-breakpoint
CREATE INDEX "customers_list_by_status" ON "customers" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "customers_merged" ON "customers" USING btree ("tenant_id","merged_into") WHERE merged_into is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "daily_spend_one" ON "daily_spend" USING btree ("tenant_id","kid","kind","currency");--> statement-breakpoint
CREATE UNIQUE INDEX "attestation_challenges_digest" ON "attestation_challenges" USING btree ("digest");--> statement-breakpoint
CREATE UNIQUE INDEX "attestation_challenges_one" ON "attestation_challenges" USING btree ("tenant_id","device_id") WHERE status = 'issued';--> statement-breakpoint
CREATE UNIQUE INDEX "device_credentials_kid" ON "device_credentials" USING btree ("kid");--> statement-breakpoint
CREATE UNIQUE INDEX "device_credentials_one_current" ON "device_credentials" USING btree ("tenant_id","device_id","pairing") WHERE ends_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "device_pairing_codes_prefix" ON "device_pairing_codes" USING btree ("prefix") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "device_pairing_codes_due" ON "device_pairing_codes" USING btree ("expires_at") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "device_pairing_codes_one" ON "device_pairing_codes" USING btree ("tenant_id","device_id") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "devices_registered" ON "devices" USING btree ("processor_ref") WHERE processor_ref is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "devices_name" ON "devices" USING btree ("tenant_id","location_id","kind",lower("name")) WHERE status <> 'disabled';--> statement-breakpoint
CREATE INDEX "devices_list" ON "devices" USING btree ("tenant_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "devices_list_by_status" ON "devices" USING btree ("tenant_id","kind","status","created_at","id");--> statement-breakpoint
CREATE INDEX "devices_by_configuration" ON "devices" USING btree ("tenant_id","terminal_configuration_id") WHERE terminal_configuration_id is not null;--> statement-breakpoint
CREATE INDEX "devices_list_by_location" ON "devices" USING btree ("tenant_id","kind","location_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "phone_attestations_one" ON "phone_attestations" USING btree ("tenant_id","challenge_id");--> statement-breakpoint
CREATE INDEX "phone_attestations_tries" ON "phone_attestations" USING btree ("tenant_id","device_id","created_at");--> statement-breakpoint
CREATE INDEX "phone_attestations_of_key" ON "phone_attestations" USING btree ("tenant_id","device_id","key_digest","sign_count") WHERE sign_count is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_categories_name" ON "catalog_categories" USING btree ("tenant_id","catalog_id",lower("name")) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "catalog_categories_list" ON "catalog_categories" USING btree ("tenant_id","catalog_id","position","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_images_address" ON "catalog_images" USING btree ("address");--> statement-breakpoint
CREATE INDEX "catalog_images_due" ON "catalog_images" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_items_sku" ON "catalog_items" USING btree ("tenant_id","sku") WHERE status <> 'archived';--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_items_barcode" ON "catalog_items" USING btree ("tenant_id","barcode_key") WHERE status <> 'archived' and barcode_key is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_items_variants" ON "catalog_items" USING btree ("tenant_id","variant_of","option_values") WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX "catalog_items_shown" ON "catalog_items" USING btree ("tenant_id","catalog_id","position","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE status = 'active' and variant_of is null;--> statement-breakpoint
CREATE INDEX "catalog_items_shown_by_category" ON "catalog_items" USING btree ("tenant_id","catalog_id","category_id","position","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE status = 'active' and variant_of is null;--> statement-breakpoint
CREATE INDEX "catalog_items_list" ON "catalog_items" USING btree ("tenant_id","catalog_id","created_at","id");--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_status" ON "catalog_items" USING btree ("tenant_id","catalog_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_kind" ON "catalog_items" USING btree ("tenant_id","catalog_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_category" ON "catalog_items" USING btree ("tenant_id","catalog_id","category_id","created_at","id") WHERE category_id is not null;--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_parent" ON "catalog_items" USING btree ("tenant_id","catalog_id","variant_of","created_at","id") WHERE variant_of is not null;--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_sku" ON "catalog_items" USING btree ("tenant_id","catalog_id","sku","created_at","id") WHERE sku is not null;--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_barcode" ON "catalog_items" USING btree ("tenant_id","catalog_id","barcode_key","created_at","id") WHERE barcode_key is not null;--> statement-breakpoint
CREATE INDEX "catalog_prices_in_effect" ON "catalog_prices" USING btree ("tenant_id","item_id","currency","starts_at","id") WHERE location_id is null;--> statement-breakpoint
CREATE INDEX "catalog_prices_in_effect_at" ON "catalog_prices" USING btree ("tenant_id","item_id","currency","location_id","starts_at","id") WHERE location_id is not null;--> statement-breakpoint
CREATE INDEX "catalog_prices_list" ON "catalog_prices" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE INDEX "catalog_prices_list_by_location" ON "catalog_prices" USING btree ("tenant_id","item_id","location_id","created_at","id") WHERE location_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "digital_catalogs_public_id" ON "digital_catalogs" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "digital_catalogs_list" ON "digital_catalogs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "digital_catalogs_list_by_status" ON "digital_catalogs" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "discount_uses_attempt" ON "discount_uses" USING btree ("tenant_id","attempt_id","discount_id");--> statement-breakpoint
CREATE UNIQUE INDEX "discount_uses_without_payment" ON "discount_uses" USING btree ("tenant_id","session_id","discount_id") WHERE attempt_id is null;--> statement-breakpoint
CREATE INDEX "discount_uses_of_customer" ON "discount_uses" USING btree ("tenant_id","customer_id","discount_id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "discount_uses_session" ON "discount_uses" USING btree ("tenant_id","session_id");--> statement-breakpoint
CREATE INDEX "discount_uses_payment" ON "discount_uses" USING btree ("tenant_id","payment_id") WHERE payment_id is not null;--> statement-breakpoint
CREATE INDEX "discount_uses_discount" ON "discount_uses" USING btree ("tenant_id","discount_id");--> statement-breakpoint
CREATE UNIQUE INDEX "discounts_code" ON "discounts" USING btree ("tenant_id","code");--> statement-breakpoint
CREATE INDEX "discounts_list" ON "discounts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "dispute_files_address" ON "dispute_files" USING btree ("address");--> statement-breakpoint
CREATE INDEX "dispute_files_due" ON "dispute_files" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
CREATE INDEX "dispute_files_list" ON "dispute_files" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "dispute_files_list_by_dispute" ON "dispute_files" USING btree ("tenant_id","dispute_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_processor_ref" ON "disputes" USING btree ("processor","processor_ref");--> statement-breakpoint
CREATE INDEX "disputes_list" ON "disputes" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "disputes_list_by_status" ON "disputes" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "disputes_list_by_payment" ON "disputes" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE INDEX "disputes_list_by_customer" ON "disputes" USING btree ("tenant_id","customer_id","created_at","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "disputes_due" ON "disputes" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "due_failures_old" ON "due_failures" USING btree ("next_try_at");--> statement-breakpoint
CREATE INDEX "idempotency_claims_due" ON "idempotency_claims" USING btree ("publish_id");--> statement-breakpoint
CREATE UNIQUE INDEX "delivered_files_address" ON "delivered_files" USING btree ("address");--> statement-breakpoint
CREATE INDEX "delivered_files_due" ON "delivered_files" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
CREATE INDEX "delivered_files_list" ON "delivered_files" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "entitlement_downloads_one" ON "entitlement_downloads" USING btree ("tenant_id","entitlement_id","file_id");--> statement-breakpoint
CREATE UNIQUE INDEX "entitlements_of_payment" ON "entitlements" USING btree ("tenant_id","payment_id","item_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "entitlements_of_session" ON "entitlements" USING btree ("tenant_id","checkout_session_id","item_id","number") WHERE checkout_session_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "entitlements_code" ON "entitlements" USING btree ("tenant_id","code_digest") WHERE code_digest is not null;--> statement-breakpoint
CREATE INDEX "entitlements_list" ON "entitlements" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "entitlements_list_by_status" ON "entitlements" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "entitlements_list_by_item" ON "entitlements" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE INDEX "entitlements_list_by_payment" ON "entitlements" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE INDEX "entitlements_list_by_session" ON "entitlements" USING btree ("tenant_id","checkout_session_id","created_at","id") WHERE checkout_session_id is not null;--> statement-breakpoint
CREATE INDEX "entitlements_awaiting_key" ON "entitlements" USING btree ("tenant_id","item_id","created_at","id") WHERE status = 'pending' and code_from = 'pool';--> statement-breakpoint
CREATE INDEX "entitlements_due" ON "entitlements" USING btree ("updated_at") WHERE announced is distinct from status or status = 'pending' and code_from = 'generated';--> statement-breakpoint
CREATE UNIQUE INDEX "license_keys_once" ON "license_keys" USING btree ("tenant_id","item_id","digest");--> statement-breakpoint
CREATE UNIQUE INDEX "license_keys_one_each" ON "license_keys" USING btree ("tenant_id","entitlement_id") WHERE entitlement_id is not null;--> statement-breakpoint
CREATE INDEX "license_keys_available" ON "license_keys" USING btree ("tenant_id","item_id","created_at","id") WHERE status = 'available';--> statement-breakpoint
CREATE INDEX "license_keys_list" ON "license_keys" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "license_keys_list_by_item" ON "license_keys" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE INDEX "license_keys_list_by_status" ON "license_keys" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "events_list" ON "events" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_list_by_type" ON "events" USING btree ("tenant_id","type","created_at","id");--> statement-breakpoint
CREATE INDEX "events_followed" ON "events" USING btree ("tenant_id","type","commit_order","position");--> statement-breakpoint
CREATE UNIQUE INDEX "fraud_warnings_processor_ref" ON "fraud_warnings" USING btree ("processor","processor_ref");--> statement-breakpoint
CREATE INDEX "fraud_warnings_list" ON "fraud_warnings" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "fraud_warnings_list_by_payment" ON "fraud_warnings" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "connection_tokens_digest" ON "connection_tokens" USING btree ("digest");--> statement-breakpoint
CREATE UNIQUE INDEX "connection_tokens_one" ON "connection_tokens" USING btree ("tenant_id","device_id") WHERE status = 'issued';--> statement-breakpoint
CREATE UNIQUE INDEX "in_person_payments_public_id" ON "in_person_payments" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "in_person_payments_list" ON "in_person_payments" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "in_person_payments_list_by_device" ON "in_person_payments" USING btree ("tenant_id","device_id","created_at","id");--> statement-breakpoint
CREATE INDEX "in_person_payments_list_by_location" ON "in_person_payments" USING btree ("tenant_id","location_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "in_person_payments_reference" ON "in_person_payments" USING btree ("tenant_id","device_id","client_reference_id",(("created_at" at time zone 'America/Mexico_City')::date)) WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "in_person_payments_list_by_reference" ON "in_person_payments" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reader_actions_tip_once" ON "reader_actions" USING btree ("tenant_id","tip_action_id") WHERE tip_action_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reader_actions_one" ON "reader_actions" USING btree ("tenant_id","reader_id") WHERE status = 'in_progress';--> statement-breakpoint
CREATE UNIQUE INDEX "reader_actions_of_payment" ON "reader_actions" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reader_actions_reference" ON "reader_actions" USING btree ("id") WHERE status = 'in_progress' and payment_id is null;--> statement-breakpoint
CREATE INDEX "reader_actions_list" ON "reader_actions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "reader_actions_list_by_reader" ON "reader_actions" USING btree ("tenant_id","reader_id","created_at","id");--> statement-breakpoint
CREATE INDEX "reader_actions_list_by_status" ON "reader_actions" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "reader_actions_list_by_type" ON "reader_actions" USING btree ("tenant_id","type","created_at","id") WHERE type <> 'process_payment';--> statement-breakpoint
CREATE INDEX "reader_actions_sales_by_status" ON "reader_actions" USING btree ("tenant_id","status","created_at","in_person_payment_id") WHERE payment_id is not null;--> statement-breakpoint
CREATE INDEX "reader_actions_answers_due" ON "reader_actions" USING btree ("answers_until") WHERE answers is not null;--> statement-breakpoint
CREATE INDEX "reader_actions_due" ON "reader_actions" USING btree ("expires_at") WHERE status = 'in_progress' or announced_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "tap_sessions_one" ON "tap_sessions" USING btree ("tenant_id","device_id") WHERE status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "tap_sessions_of_token" ON "tap_sessions" USING btree ("tenant_id","connection_token_id");--> statement-breakpoint
CREATE INDEX "tap_sessions_list" ON "tap_sessions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tap_sessions_list_by_device" ON "tap_sessions" USING btree ("tenant_id","device_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "insight_hours_one" ON "insight_hours" USING btree ("tenant_id","begins_at");--> statement-breakpoint
CREATE INDEX "insight_hours_swept" ON "insight_hours" USING btree ("begins_at");--> statement-breakpoint
CREATE UNIQUE INDEX "insight_watches_one" ON "insight_watches" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "insight_watches_due" ON "insight_watches" USING btree ("next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "insights_one" ON "insights" USING btree ("tenant_id","kind") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "insights_list" ON "insights" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "insights_list_by_status" ON "insights" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "balance_activity_open" ON "balance_activity" USING btree ("tenant_id","currency","created_at","id") WHERE payout_id is null;--> statement-breakpoint
CREATE INDEX "balance_activity_open_outgoing" ON "balance_activity" USING btree ("tenant_id","currency","created_at","id") WHERE payout_id is null and amount_minor < 0;--> statement-breakpoint
CREATE INDEX "balance_activity_booked" ON "balance_activity" USING btree ("tenant_id","booked_at","id");--> statement-breakpoint
CREATE INDEX "balance_activity_list" ON "balance_activity" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "balance_activity_list_by_source" ON "balance_activity" USING btree ("tenant_id","source_type","created_at","id") WHERE source_type <> 'payment';--> statement-breakpoint
CREATE INDEX "balance_activity_list_by_currency" ON "balance_activity" USING btree ("tenant_id","currency","created_at","id") WHERE currency <> 'mxn';--> statement-breakpoint
CREATE INDEX "balance_activity_list_by_payout" ON "balance_activity" USING btree ("tenant_id","payout_id","created_at","id") WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX "ledger_journals_booked" ON "ledger_journals" USING btree ("tenant_id","booked_at","id");--> statement-breakpoint
CREATE INDEX "ledger_journals_followed" ON "ledger_journals" USING brin ("commit_order") WITH (autosummarize=true,pages_per_range=16);--> statement-breakpoint
CREATE UNIQUE INDEX "locations_name" ON "locations" USING btree ("tenant_id",lower("name")) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "locations_by_configuration" ON "locations" USING btree ("tenant_id","terminal_configuration_id") WHERE terminal_configuration_id is not null;--> statement-breakpoint
CREATE INDEX "locations_list" ON "locations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "locations_list_by_status" ON "locations" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "logos_address" ON "logos" USING btree ("address");--> statement-breakpoint
CREATE INDEX "logos_due" ON "logos" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "logos_one_stored" ON "logos" USING btree ("tenant_id") WHERE status = 'stored';--> statement-breakpoint
CREATE INDEX "mail_notices_due" ON "mail_notices" USING btree ("created_at") WHERE status = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "mail_suppressions_one" ON "mail_suppressions" USING btree ("tenant_id","recipient_digest","reason") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "mail_suppressions_list" ON "mail_suppressions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outgoing_mails_due" ON "outgoing_mails" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "outgoing_mails_to" ON "outgoing_mails" USING btree ("mailbox_digest","created_at");--> statement-breakpoint
CREATE INDEX "outgoing_mails_from" ON "outgoing_mails" USING btree ("network_digest","created_at") WHERE network_digest is not null;--> statement-breakpoint
CREATE INDEX "outgoing_mails_list" ON "outgoing_mails" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outgoing_mails_by_age" ON "outgoing_mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "outgoing_mails_by_id" ON "outgoing_mails" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "workspace_invitations_id" ON "workspace_invitations" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "workspace_invitations_one_pending" ON "workspace_invitations" USING btree ("tenant_id","email") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "workspace_invitations_list" ON "workspace_invitations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "workspace_invitations_list_by_status" ON "workspace_invitations" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "workspace_invitations_due" ON "workspace_invitations" USING btree ("expires_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "workspace_invitations_to_forget" ON "workspace_invitations" USING btree ("updated_at") WHERE status <> 'pending' and email is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "offline_allowances_one" ON "offline_allowances" USING btree ("tenant_id","device_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "offline_losses_list" ON "offline_losses" USING btree ("tenant_id","booked_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "offline_payments_one" ON "offline_payments" USING btree ("tenant_id","device_id","device_payment_id",coalesce(refusal_code in ('signature_invalid', 'allowance_not_found'), false));--> statement-breakpoint
CREATE UNIQUE INDEX "offline_payments_sequence" ON "offline_payments" USING btree ("tenant_id","allowance_id","sequence") WHERE status <> 'refused';--> statement-breakpoint
CREATE UNIQUE INDEX "offline_payments_of_payment" ON "offline_payments" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "offline_payments_of_sale" ON "offline_payments" USING btree ("tenant_id","in_person_payment_id");--> statement-breakpoint
CREATE INDEX "offline_payments_list" ON "offline_payments" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "offline_payments_list_by_device" ON "offline_payments" USING btree ("tenant_id","device_id","created_at","id");--> statement-breakpoint
CREATE INDEX "offline_payments_list_by_status" ON "offline_payments" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "offline_payments_sales_by_status" ON "offline_payments" USING btree ("tenant_id","status","created_at","in_person_payment_id") WHERE payment_id is not null;--> statement-breakpoint
CREATE INDEX "offline_payments_due" ON "offline_payments" USING btree ("updated_at") WHERE announced_at is null;--> statement-breakpoint
CREATE INDEX "payment_contacts_of" ON "payment_contacts" USING btree ("tenant_id","payment_id","created_at");--> statement-breakpoint
CREATE INDEX "payment_contacts_by_email" ON "payment_contacts" USING btree ("tenant_id","email");--> statement-breakpoint
CREATE INDEX "payment_contacts_due" ON "payment_contacts" USING btree ("remind_at") WHERE remind_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_invoices_one_live" ON "payment_invoices" USING btree ("tenant_id","payment_id") WHERE status = 'live';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_invoices_one_replacement" ON "payment_invoices" USING btree ("tenant_id","replaces_id") WHERE replaces_id is not null;--> statement-breakpoint
CREATE INDEX "payment_invoices_list" ON "payment_invoices" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_invoices_list_by_payment" ON "payment_invoices" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_invoices_list_by_folio" ON "payment_invoices" USING btree ("tenant_id","folio","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_invoices_list_by_status" ON "payment_invoices" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_link_templates_name" ON "payment_link_templates" USING btree ("tenant_id",lower("name")) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "payment_link_templates_list" ON "payment_link_templates" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_link_uses_due" ON "payment_link_uses" USING btree ("used_up_at") WHERE used_up_at is not null and announced_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_links_public_id" ON "payment_links" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "payment_links_by_email" ON "payment_links" USING btree ("tenant_id","customer_email") WHERE customer_email is not null;--> statement-breakpoint
CREATE INDEX "payment_links_list" ON "payment_links" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_list_by_status" ON "payment_links" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_list_by_reference" ON "payment_links" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "payment_links_list_by_customer" ON "payment_links" USING btree ("tenant_id","customer_id","created_at","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "payment_links_due" ON "payment_links" USING btree ("expires_at") WHERE status = 'active' and expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_policies_one" ON "payment_policies" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "payment_policy_versions_by_start" ON "payment_policy_versions" USING btree ("tenant_id","starts_at","version");--> statement-breakpoint
CREATE INDEX "payment_policy_versions_of_level" ON "payment_policy_versions" USING btree ("tenant_id","location_id","starts_at","version");--> statement-breakpoint
CREATE INDEX "payment_policy_versions_list" ON "payment_policy_versions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_number" ON "payment_attempts" USING btree ("tenant_id","payment_id","number");--> statement-breakpoint
CREATE INDEX "payment_attempts_at_account" ON "payment_attempts" USING btree ("account_id","processor_ref") WHERE account_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_live" ON "payment_attempts" USING btree ("tenant_id","payment_id") WHERE status in ('submitting', 'pending_customer', 'unknown', 'authorized', 'captured');--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_reference" ON "payment_attempts" USING btree ("id");--> statement-breakpoint
CREATE INDEX "payment_attempts_due" ON "payment_attempts" USING btree ("next_check_at") WHERE next_check_at is not null and grace_ends_at is null;--> statement-breakpoint
CREATE INDEX "payment_attempts_due_pushed" ON "payment_attempts" USING btree ("next_check_at") WHERE next_check_at is not null and grace_ends_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_public_id" ON "payments" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_live_per_exclusive_origin" ON "payments" USING btree ("tenant_id","origin_type","origin_id") WHERE exclusive and status in ('processing', 'requires_action', 'requires_capture', 'succeeded', 'partially_captured');--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_live_replacement" ON "payments" USING btree ("tenant_id","replaces_id") WHERE replaces_id is not null and status in ('processing', 'requires_action', 'requires_capture', 'succeeded', 'partially_captured');--> statement-breakpoint
CREATE INDEX "payments_list" ON "payments" USING btree ("tenant_id","created_at","id","amount_minor","method","status");--> statement-breakpoint
CREATE INDEX "payments_list_unsuccessful" ON "payments" USING btree ("tenant_id","status","created_at","id") WHERE status <> 'succeeded';--> statement-breakpoint
CREATE INDEX "payments_list_pushed" ON "payments" USING btree ("tenant_id","method","created_at","id") WHERE method not in ('card');--> statement-breakpoint
CREATE INDEX "payments_list_in_person" ON "payments" USING btree ("tenant_id","status","created_at","origin_id") WHERE method in ('card_present') and (capture_before is not null or status in ('succeeded', 'partially_captured'));--> statement-breakpoint
CREATE INDEX "payments_list_by_origin" ON "payments" USING btree ("tenant_id","origin_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_list_by_customer" ON "payments" USING btree ("tenant_id","customer_id","created_at","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "payments_list_by_reference" ON "payments" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "payments_list_by_paid_by" ON "payments" USING btree ("tenant_id","paid_by","created_at","id") WHERE paid_by is not null;--> statement-breakpoint
CREATE INDEX "payments_due_funds" ON "payments" USING btree ("available_on","tenant_id") WHERE funds_status = 'pending';--> statement-breakpoint
CREATE INDEX "payments_due_reserve" ON "payments" USING btree ("reserve_release_on","tenant_id") WHERE reserve_release_on is not null;--> statement-breakpoint
CREATE INDEX "payments_due_expiry" ON "payments" USING btree ("expires_at") WHERE status = 'requires_payment_method';--> statement-breakpoint
CREATE UNIQUE INDEX "payout_entries_once" ON "payout_entries" USING btree ("tenant_id","activity_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_entries_processor_ref" ON "payout_entries" USING btree ("tenant_id","processor_ref");--> statement-breakpoint
CREATE INDEX "payout_entries_list" ON "payout_entries" USING btree ("tenant_id","payout_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_settings_one" ON "payout_settings" USING btree ("tenant_id","currency");--> statement-breakpoint
CREATE INDEX "payout_settings_due" ON "payout_settings" USING btree ("next_payout_on") WHERE next_payout_on is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_reference" ON "payouts" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_processor_ref" ON "payouts" USING btree ("processor","processor_ref");--> statement-breakpoint
CREATE INDEX "payouts_list" ON "payouts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_list_by_status" ON "payouts" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "attestation_settings_one" ON "attestation_settings" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "phone_apps_one" ON "phone_apps" USING btree ("tenant_id","platform","app") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "phone_apps_list" ON "phone_apps" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cash_movements_sale" ON "cash_movements" USING btree ("tenant_id","order_id") WHERE kind = 'sale';--> statement-breakpoint
CREATE INDEX "cash_movements_list" ON "cash_movements" USING btree ("tenant_id","shift_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cash_movements_of_order" ON "cash_movements" USING btree ("tenant_id","order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "register_codes_public_id" ON "register_codes" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "register_codes_list" ON "register_codes" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "register_codes_list_by_register" ON "register_codes" USING btree ("tenant_id","register_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "register_orders_public_id" ON "register_orders" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "register_orders_current" ON "register_orders" USING btree ("tenant_id","register_id") WHERE is_current;--> statement-breakpoint
CREATE UNIQUE INDEX "register_orders_reference" ON "register_orders" USING btree ("tenant_id","register_id","client_reference_id",(("created_at" at time zone 'America/Mexico_City')::date)) WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "register_orders_list" ON "register_orders" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "register_orders_list_by_register" ON "register_orders" USING btree ("tenant_id","register_id","created_at","id");--> statement-breakpoint
CREATE INDEX "register_orders_list_by_status" ON "register_orders" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "register_orders_list_by_reference" ON "register_orders" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "register_orders_of_shift" ON "register_orders" USING btree ("tenant_id","shift_id") WHERE shift_id is not null;--> statement-breakpoint
CREATE INDEX "register_orders_due" ON "register_orders" USING btree ("expires_at") WHERE status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "register_shifts_open" ON "register_shifts" USING btree ("tenant_id","register_id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "register_shifts_list" ON "register_shifts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "register_shifts_list_by_register" ON "register_shifts" USING btree ("tenant_id","register_id","created_at","id");--> statement-breakpoint
CREATE INDEX "register_shifts_closed" ON "register_shifts" USING btree ("tenant_id","booked_at","id") WHERE booked_at is not null;--> statement-breakpoint
CREATE INDEX "register_shifts_list_by_status" ON "register_shifts" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "environment_accounts_due" ON "environment_accounts" USING btree ("next_check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "processor_credentials_one" ON "processor_credentials" USING btree ("tenant_id","processor") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "processor_credentials_id" ON "processor_credentials" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "processor_credentials_account" ON "processor_credentials" USING btree ("tenant_id","processor","account_ref");--> statement-breakpoint
CREATE INDEX "processor_credentials_due" ON "processor_credentials" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "processor_event_reads_due" ON "processor_event_reads" USING btree ("next_read_at");--> statement-breakpoint
CREATE INDEX "processor_notifications_due" ON "processor_notifications" USING btree ("next_try_at") WHERE next_try_at is not null;--> statement-breakpoint
CREATE INDEX "processor_notifications_old" ON "processor_notifications" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "public_ids_one" ON "public_ids" USING btree ("tenant_id","kind","id");--> statement-breakpoint
CREATE UNIQUE INDEX "buyer_balance_movements_once" ON "buyer_balance_movements" USING btree ("tenant_id","movement_ref");--> statement-breakpoint
CREATE INDEX "buyer_balance_movements_by_attempt" ON "buyer_balance_movements" USING btree ("tenant_id","attempt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "clabes_one_per_attempt" ON "clabes" USING btree ("tenant_id","attempt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "clabes_one_use" ON "clabes" USING btree ("clabe") WHERE status in ('assigned', 'quarantined');--> statement-breakpoint
CREATE INDEX "clabes_by_payment" ON "clabes" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE INDEX "clabes_due" ON "clabes" USING btree ("quarantine_ends_at") WHERE status = 'quarantined';--> statement-breakpoint
CREATE UNIQUE INDEX "spei_deposits_once" ON "spei_deposits" USING btree ("tenant_id","clave_rastreo","sender_bank","operated_on","clabe","amount_minor");--> statement-breakpoint
CREATE INDEX "spei_deposits_list" ON "spei_deposits" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "spei_deposits_list_by_payment" ON "spei_deposits" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "unapplied_funds_once_per_deposit" ON "unapplied_funds" USING btree ("tenant_id","deposit_id") WHERE movement_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX "unapplied_funds_once_per_movement" ON "unapplied_funds" USING btree ("tenant_id","movement_id","deposit_id");--> statement-breakpoint
CREATE UNIQUE INDEX "unapplied_funds_once_per_voucher" ON "unapplied_funds" USING btree ("tenant_id","voucher_id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_list" ON "unapplied_funds" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_by_payment" ON "unapplied_funds" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_by_deposit" ON "unapplied_funds" USING btree ("tenant_id","deposit_id") WHERE deposit_id is not null;--> statement-breakpoint
CREATE INDEX "unapplied_funds_list_by_status" ON "unapplied_funds" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_applications_by_attempt" ON "unapplied_funds_applications" USING btree ("tenant_id","attempt_id");--> statement-breakpoint
CREATE INDEX "unapplied_funds_applications_by_funds" ON "unapplied_funds_applications" USING btree ("tenant_id","unapplied_funds_id");--> statement-breakpoint
CREATE UNIQUE INDEX "unapplied_funds_withdrawals_once" ON "unapplied_funds_withdrawals" USING btree ("tenant_id","unapplied_funds_id","movement_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vouchers_reference" ON "vouchers" USING btree ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "vouchers_one_per_attempt" ON "vouchers" USING btree ("tenant_id","attempt_id");--> statement-breakpoint
CREATE INDEX "vouchers_by_payment" ON "vouchers" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vouchers_one_live" ON "vouchers" USING btree ("tenant_id","payment_id") WHERE status = 'issued';--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_reference" ON "refunds" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_processor_ref" ON "refunds" USING btree ("processor","processor_ref");--> statement-breakpoint
CREATE INDEX "refunds_list" ON "refunds" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "refunds_list_by_status" ON "refunds" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "refunds_list_by_payment" ON "refunds" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE INDEX "refunds_list_by_customer" ON "refunds" USING btree ("tenant_id","customer_id","created_at","id") WHERE customer_id is not null;--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "report_account_mappings_newest" ON "report_account_mappings" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "report_deliveries_one" ON "report_deliveries" USING btree ("tenant_id","run_id","member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "report_deliveries_by_id" ON "report_deliveries" USING btree ("id");--> statement-breakpoint
CREATE INDEX "report_deliveries_list" ON "report_deliveries" USING btree ("tenant_id","run_id","created_at","id");--> statement-breakpoint
CREATE INDEX "report_deliveries_next_check" ON "report_deliveries" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "report_runs_one_of_period" ON "report_runs" USING btree ("tenant_id","schedule_id","period_from","period_to") WHERE schedule_id is not null and payout_id is null and status <> 'canceled';--> statement-breakpoint
CREATE UNIQUE INDEX "report_runs_one_of_payout" ON "report_runs" USING btree ("tenant_id","schedule_id","payout_id") WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX "report_runs_next_check" ON "report_runs" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "report_runs_due_removal" ON "report_runs" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
CREATE INDEX "report_runs_list" ON "report_runs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "report_runs_list_by_type" ON "report_runs" USING btree ("tenant_id","type","created_at","id");--> statement-breakpoint
CREATE INDEX "report_runs_list_by_status" ON "report_runs" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "report_runs_list_by_schedule" ON "report_runs" USING btree ("tenant_id","schedule_id","created_at","id") WHERE schedule_id is not null;--> statement-breakpoint
CREATE INDEX "report_schedules_next_check" ON "report_schedules" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "report_schedules_list" ON "report_schedules" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "report_schedules_list_by_status" ON "report_schedules" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "report_schedules_of_payouts" ON "report_schedules" USING btree ("tenant_id") WHERE every = 'payout' and status = 'active';--> statement-breakpoint
CREATE INDEX "risk_backtests_list" ON "risk_backtests" USING btree ("tenant_id","rule_id","created_at","id");--> statement-breakpoint
CREATE INDEX "risk_evaluations_swept" ON "risk_evaluations" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "risk_list_items_one" ON "risk_list_items" USING btree ("tenant_id","list_id","value") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "risk_list_items_named" ON "risk_list_items" USING btree ("tenant_id","value") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "risk_list_items_due" ON "risk_list_items" USING btree ("expires_at") WHERE status = 'active' and expires_at is not null;--> statement-breakpoint
CREATE INDEX "risk_list_items_swept" ON "risk_list_items" USING btree ("updated_at") WHERE status = 'removed';--> statement-breakpoint
CREATE INDEX "risk_list_items_list" ON "risk_list_items" USING btree ("tenant_id","list_id","created_at","id");--> statement-breakpoint
CREATE INDEX "risk_lists_list" ON "risk_lists" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "risk_reviews_one" ON "risk_reviews" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE INDEX "risk_reviews_list" ON "risk_reviews" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "risk_reviews_list_by_status" ON "risk_reviews" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "risk_reviews_due" ON "risk_reviews" USING btree ("updated_at") WHERE announced is distinct from status;--> statement-breakpoint
CREATE INDEX "risk_rules_list" ON "risk_rules" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "risk_rules_live" ON "risk_rules" USING btree ("tenant_id") WHERE status in ('shadow', 'active');--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_clocks_one" ON "sandbox_clocks" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "segment_pins_one" ON "segment_pins" USING btree ("tenant_id","segment_id","customer_id");--> statement-breakpoint
CREATE INDEX "segments_list" ON "segments" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "step_up_challenges_token" ON "step_up_challenges" USING btree ("token_digest");--> statement-breakpoint
CREATE UNIQUE INDEX "step_up_challenges_id" ON "step_up_challenges" USING btree ("id");--> statement-breakpoint
CREATE INDEX "step_up_challenges_due" ON "step_up_challenges" USING btree ("challenge_expires_at") WHERE status in ('pending', 'verified');--> statement-breakpoint
CREATE INDEX "stock_levels_list" ON "stock_levels" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_levels_list_by_location" ON "stock_levels" USING btree ("tenant_id","location_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_levels_list_low" ON "stock_levels" USING btree ("tenant_id","created_at","id") WHERE low_since is not null;--> statement-breakpoint
CREATE INDEX "stock_levels_due" ON "stock_levels" USING btree ("low_since") WHERE low_since is not null and low_announced_at is null;--> statement-breakpoint
CREATE INDEX "stock_movements_list" ON "stock_movements" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_list_by_item" ON "stock_movements" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_list_by_kind" ON "stock_movements" USING btree ("tenant_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_list_by_location" ON "stock_movements" USING btree ("tenant_id","location_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_of_level" ON "stock_movements" USING btree ("tenant_id","level_id");--> statement-breakpoint
CREATE INDEX "stock_movements_list_by_reservation" ON "stock_movements" USING btree ("tenant_id","reservation_id","created_at","id") WHERE reservation_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "stock_reservations_attempt" ON "stock_reservations" USING btree ("tenant_id","attempt_id") WHERE attempt_id is not null;--> statement-breakpoint
CREATE INDEX "stock_reservations_list" ON "stock_reservations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_reservations_list_by_status" ON "stock_reservations" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_reservations_due" ON "stock_reservations" USING btree ("expires_at") WHERE status = 'held' and expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "stripe_connections_id" ON "stripe_connections" USING btree ("id");--> statement-breakpoint
CREATE INDEX "stripe_connections_due" ON "stripe_connections" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "customer_external_ids_one" ON "customer_external_ids" USING btree ("tenant_id","source_id","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_external_ids_tombstone" ON "customer_external_ids" USING btree ("tenant_id","source_id","external_id_digest") WHERE external_id_digest is not null;--> statement-breakpoint
CREATE INDEX "customer_external_ids_of" ON "customer_external_ids" USING btree ("tenant_id","customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sync_files_one_stored" ON "sync_files" USING btree ("tenant_id","source_id") WHERE status = 'stored';--> statement-breakpoint
CREATE INDEX "sync_files_of" ON "sync_files" USING btree ("tenant_id","source_id");--> statement-breakpoint
CREATE INDEX "sync_files_kept" ON "sync_files" USING btree ("tenant_id") WHERE status <> 'removed';--> statement-breakpoint
CREATE INDEX "sync_files_due" ON "sync_files" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sync_refusals_of" ON "sync_refusals" USING btree ("tenant_id","run_id","slice");--> statement-breakpoint
CREATE INDEX "sync_refusals_of_source" ON "sync_refusals" USING btree ("tenant_id","source_id");--> statement-breakpoint
CREATE INDEX "sync_refusals_by_age" ON "sync_refusals" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sync_runs_one_open" ON "sync_runs" USING btree ("tenant_id","source_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "sync_runs_next_check" ON "sync_runs" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "sync_runs_of_file" ON "sync_runs" USING btree ("tenant_id","file_id") WHERE file_id is not null;--> statement-breakpoint
CREATE INDEX "sync_runs_list" ON "sync_runs" USING btree ("tenant_id","source_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sync_runs_list_by_status" ON "sync_runs" USING btree ("tenant_id","source_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "sync_sources_list" ON "sync_sources" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sync_sources_list_by_status" ON "sync_sources" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "dining_tables_public_id" ON "dining_tables" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dining_tables_name" ON "dining_tables" USING btree ("tenant_id","location_id",lower("name")) WHERE status = 'active' and location_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "dining_tables_name_nowhere" ON "dining_tables" USING btree ("tenant_id",lower("name")) WHERE status = 'active' and location_id is null;--> statement-breakpoint
CREATE INDEX "dining_tables_list" ON "dining_tables" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "dining_tables_list_by_status" ON "dining_tables" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "table_external_payments_list" ON "table_external_payments" USING btree ("tenant_id","session_id","created_at","id");--> statement-breakpoint
CREATE INDEX "table_lines_of_payment" ON "table_lines" USING btree ("tenant_id","payment_id") WHERE payment_id is not null;--> statement-breakpoint
CREATE INDEX "table_lines_of_external_payment" ON "table_lines" USING btree ("tenant_id","external_payment_id") WHERE external_payment_id is not null;--> statement-breakpoint
CREATE INDEX "table_session_sums_due" ON "table_session_sums" USING btree ("settled_at") WHERE settled_at is not null and announced_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "table_sessions_public_id" ON "table_sessions" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "table_sessions_open" ON "table_sessions" USING btree ("tenant_id","table_id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "table_sessions_list" ON "table_sessions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "table_sessions_list_by_table" ON "table_sessions" USING btree ("tenant_id","table_id","created_at","id");--> statement-breakpoint
CREATE INDEX "table_sessions_list_by_status" ON "table_sessions" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "table_sessions_merged" ON "table_sessions" USING btree ("tenant_id","merged_into") WHERE merged_into is not null;--> statement-breakpoint
CREATE INDEX "table_sessions_list_by_reference" ON "table_sessions" USING btree ("tenant_id","client_reference_id","created_at","id") WHERE client_reference_id is not null;--> statement-breakpoint
CREATE INDEX "table_tips_list" ON "table_tips" USING btree ("tenant_id","waiter_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tip_payouts_list" ON "tip_payouts" USING btree ("tenant_id","waiter_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "waiters_payroll_reference" ON "waiters" USING btree ("tenant_id","payroll_reference") WHERE status = 'active' and payroll_reference is not null;--> statement-breakpoint
CREATE INDEX "waiters_list" ON "waiters" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "waiters_list_by_status" ON "waiters" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "memberships_by_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "memberships_by_email" ON "memberships" USING btree ("tenant_id","email");--> statement-breakpoint
CREATE INDEX "memberships_list" ON "memberships" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "terminal_configurations_name" ON "terminal_configurations" USING btree ("tenant_id",lower("name")) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "terminal_configurations_list" ON "terminal_configurations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "terminal_configurations_list_by_status" ON "terminal_configurations" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "incoming_transfers_once" ON "incoming_transfers" USING btree ("source_transfer_id");--> statement-breakpoint
CREATE INDEX "incoming_transfers_list" ON "incoming_transfers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_reference" ON "transfers" USING btree ("id");--> statement-breakpoint
CREATE INDEX "transfers_list" ON "transfers" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_list_by_status" ON "transfers" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "transfers_due" ON "transfers" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "unpaid_holds_of_resource" ON "unpaid_holds" USING btree ("tenant_id","resource_id");--> statement-breakpoint
CREATE INDEX "unpaid_holds_of_attempt" ON "unpaid_holds" USING btree ("tenant_id","attempt_id");--> statement-breakpoint
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