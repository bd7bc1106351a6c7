CREATE TABLE "mail_suppressions" (
	"user_id" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_suppressions_user_id_reason_pk" PRIMARY KEY("user_id","reason"),
	CONSTRAINT "mail_suppressions_reason_known" CHECK ("mail_suppressions"."reason" in ('hard_bounce', 'complaint'))
);
--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_kind_known";--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_status_known";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "report" text;--> statement-breakpoint
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_report_known" CHECK ("mails"."report" in ('delivered', 'bounced', 'complained'));--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind_known" CHECK (kind in ('confirm_address', 'reset_password', 'new_sign_in', 'api_key_created', 'api_key_revoked', 'workspace_decided', 'bank_account_added', 'payout_failed', 'payout_returned', 'webhook_endpoint_disabled', 'member_joined', 'member_removed'));--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_status_known" CHECK ("mails"."status" in ('waiting', 'sent', 'given_up', 'suppressed'));