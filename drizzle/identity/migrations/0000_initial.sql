CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_only_passwords" CHECK ("accounts"."provider_id" = 'credential'),
	CONSTRAINT "accounts_password_is_hashed" CHECK ("accounts"."password" ~ '^[0-9a-f]{32}:[0-9a-f]{128}$'),
	CONSTRAINT "accounts_no_foreign_tokens" CHECK ("accounts"."access_token" is null and "accounts"."refresh_token" is null and "accounts"."id_token" is null)
);
--> statement-breakpoint
CREATE TABLE "mail_suppressions" (
	"user_id" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_suppressions_user_id_reason_pk" PRIMARY KEY("user_id","reason"),
	CONSTRAINT "mail_suppressions_reason_known" CHECK ("mail_suppressions"."reason" in ('hard_bounce', 'complaint'))
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secret_version" integer,
	"status" text DEFAULT 'waiting' NOT NULL,
	"mailbox" text,
	"network" text,
	"report" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_kind_known" CHECK ("mails"."kind" in ('api_key_created', 'api_key_revoked', 'bank_account_added', 'logo_changed', 'member_joined', 'member_removed', 'payout_failed', 'payout_returned', 'report_paused', 'webhook_endpoint_disabled', 'workspace_decided', 'workspace_details', 'confirm_address', 'reset_password', 'new_sign_in')),
	CONSTRAINT "mails_status_known" CHECK ("mails"."status" in ('waiting', 'sent', 'given_up', 'suppressed')),
	CONSTRAINT "mails_report_known" CHECK ("mails"."report" in ('delivered', 'bounced', 'complained')),
	CONSTRAINT "mails_forget_data" CHECK ("mails"."status" = 'waiting' or "mails"."data" = '{}'),
	CONSTRAINT "mails_link_has_version" CHECK (("mails"."kind" in ('confirm_address', 'reset_password')) = ("mails"."secret_version" is not null))
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" bigint NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"created_at" timestamp with time zone DEFAULT now(),
	"aaguid" text,
	CONSTRAINT "passkeys_counter_range" CHECK ("passkeys"."counter" between 0 and 4294967295),
	CONSTRAINT "passkeys_name_length" CHECK (char_length("passkeys"."name") between 1 and 120)
);
--> statement-breakpoint
CREATE TABLE "password_attempts" (
	"account" text NOT NULL,
	"network" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"window_started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"admitted_at" timestamp with time zone,
	"proved_at" timestamp with time zone,
	CONSTRAINT "password_attempts_account_network_pk" PRIMARY KEY("account","network"),
	CONSTRAINT "password_attempts_account_is_a_digest" CHECK ("password_attempts"."account" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "password_attempts_network_length" CHECK (char_length("password_attempts"."network") <= 64),
	CONSTRAINT "password_attempts_counted" CHECK ("password_attempts"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "second_factor_failures" (
	"user_id" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"window_started_at" timestamp with time zone NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "second_factor_failures_counted" CHECK ("second_factor_failures"."failures" between 1 and 5),
	CONSTRAINT "second_factor_failures_lock_at_five" CHECK (("second_factor_failures"."failures" = 5) = ("second_factor_failures"."locked_until" is not null))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token_digest" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"factor_verified_at" timestamp with time zone,
	"secret_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_is_a_digest" CHECK ("sessions"."token_digest" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "sign_in_networks" (
	"user_id" text NOT NULL,
	"network" text NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_networks_user_id_network_pk" PRIMARY KEY("user_id","network")
);
--> statement-breakpoint
CREATE TABLE "totp_uses" (
	"user_id" text NOT NULL,
	"time_step" bigint NOT NULL,
	CONSTRAINT "totp_uses_user_id_time_step_pk" PRIMARY KEY("user_id","time_step")
);
--> statement-breakpoint
CREATE TABLE "two_factors" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"verified" boolean DEFAULT false NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "two_factors_secret_is_encrypted" CHECK ("two_factors"."secret" ~ '^[$]ba[$][0-9]+[$][0-9a-f]{144,}$'),
	CONSTRAINT "two_factors_codes_are_encrypted" CHECK ("two_factors"."backup_codes" ~ '^[$]ba[$][0-9]+[$][0-9a-f]{84,}$')
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"locale" text DEFAULT 'es-MX' NOT NULL,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"unproved_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_lower_case" CHECK ("users"."email" = lower("users"."email")),
	CONSTRAINT "users_email_length" CHECK (char_length("users"."email") between 3 and 254),
	CONSTRAINT "users_locale_known" CHECK ("users"."locale" in ('es-MX', 'en')),
	CONSTRAINT "users_name_length" CHECK (char_length("users"."name") between 1 and 120)
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factor_failures" ADD CONSTRAINT "second_factor_failures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_networks" ADD CONSTRAINT "sign_in_networks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_uses" ADD CONSTRAINT "totp_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_provider_account" ON "accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_user_provider" ON "accounts" USING btree ("user_id","provider_id");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("next_attempt_at") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "mails_of_user" ON "mails" USING btree ("user_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "mails_by_age" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mails_of_mailbox" ON "mails" USING btree ("mailbox","created_at") WHERE mailbox is not null;--> statement-breakpoint
CREATE INDEX "mails_of_network" ON "mails" USING btree ("network","created_at") WHERE network is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_by_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_attempts_by_window" ON "password_attempts" USING btree ("window_started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_digest" ON "sessions" USING btree ("token_digest");--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_by_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_networks_by_age" ON "sign_in_networks" USING btree ("last_at");--> statement-breakpoint
CREATE UNIQUE INDEX "two_factors_user" ON "two_factors" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier","created_at");--> statement-breakpoint
CREATE INDEX "verifications_by_expiry" ON "verifications" USING btree ("expires_at");