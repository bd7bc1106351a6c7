CREATE TABLE "bank_accounts" (
	"tenant_id" text NOT NULL,
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
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_accounts_reference" ON "bank_accounts" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_accounts_live" ON "bank_accounts" USING btree ("tenant_id","clabe") WHERE status in ('pending_verification', 'verified');--> statement-breakpoint
CREATE INDEX "bank_accounts_list" ON "bank_accounts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "bank_accounts_due" ON "bank_accounts" USING btree ("next_check_at") WHERE next_check_at is not null;