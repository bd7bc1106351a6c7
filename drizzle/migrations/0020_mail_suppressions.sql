CREATE TABLE "mail_suppressions" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"recipient_digest" text NOT NULL,
	"kind" text NOT NULL,
	"payment_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mail_suppressions_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "mail_suppressions_status_known" CHECK ("mail_suppressions"."status" in ('active', 'lifted')),
	CONSTRAINT "mail_suppressions_reason_known" CHECK ("mail_suppressions"."reason" in ('hard_bounce', 'complaint', 'unsubscribed')),
	CONSTRAINT "mail_suppressions_kind_known" CHECK ("mail_suppressions"."kind" in ('workspace_invitation', 'payment_receipt', 'payment_instructions', 'payment_reminder', 'refund_made')),
	CONSTRAINT "mail_suppressions_only_bounces_lifted" CHECK ("mail_suppressions"."status" = 'active' or "mail_suppressions"."reason" = 'hard_bounce')
);
--> statement-breakpoint
ALTER TABLE "mail_notices" DROP CONSTRAINT "mail_notices_kind_known";--> statement-breakpoint
ALTER TABLE "outgoing_mails" DROP CONSTRAINT "outgoing_mails_status_known";--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD COLUMN "suppressed_for" text;--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD COLUMN "report" text;--> statement-breakpoint
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_suppressions_one" ON "mail_suppressions" USING btree ("tenant_id","recipient_digest","reason") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "mail_suppressions_list" ON "mail_suppressions" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outgoing_mails_by_id" ON "outgoing_mails" USING btree ("id");--> statement-breakpoint
ALTER TABLE "mail_notices" ADD CONSTRAINT "mail_notices_kind_known" CHECK ("mail_notices"."kind" in ('api_key_created', 'api_key_revoked', 'workspace_decided', 'bank_account_added', 'payout_failed', 'payout_returned', 'webhook_endpoint_disabled', 'member_joined', 'member_removed'));--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_report_known" CHECK ("outgoing_mails"."report" in ('delivered', 'bounced', 'complained'));--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_suppressed_for_known" CHECK ("outgoing_mails"."suppressed_for" in ('hard_bounce', 'complaint', 'unsubscribed'));--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_suppressed_for" CHECK (("outgoing_mails"."status" = 'suppressed') = ("outgoing_mails"."suppressed_for" is not null));--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_status_known" CHECK ("outgoing_mails"."status" in ('waiting', 'dropped', 'sent', 'given_up', 'suppressed'));