CREATE TABLE "checkout_recoveries" (
	"tenant_id" text NOT NULL,
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
ALTER TABLE "mail_suppressions" DROP CONSTRAINT "mail_suppressions_kind_known";--> statement-breakpoint
ALTER TABLE "outgoing_mails" DROP CONSTRAINT "outgoing_mails_kind_known";--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "recovery" jsonb;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "recovered_from" uuid;--> statement-breakpoint
ALTER TABLE "checkout_recoveries" ADD CONSTRAINT "checkout_recoveries_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."checkout_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_recoveries_one" ON "checkout_recoveries" USING btree ("tenant_id","session_id");--> statement-breakpoint
CREATE INDEX "checkout_recoveries_by_email" ON "checkout_recoveries" USING btree ("tenant_id","email") WHERE email is not null;--> statement-breakpoint
CREATE INDEX "checkout_recoveries_due" ON "checkout_recoveries" USING btree ("mail_at") WHERE mail_at is not null;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_recovered_from" FOREIGN KEY ("tenant_id","recovered_from") REFERENCES "public"."checkout_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_sessions_recovered_once" ON "checkout_sessions" USING btree ("tenant_id","recovered_from") WHERE recovered_from is not null;--> statement-breakpoint
ALTER TABLE "mail_suppressions" ADD CONSTRAINT "mail_suppressions_kind_known" CHECK ("mail_suppressions"."kind" in ('workspace_invitation', 'payment_link', 'payment_receipt', 'payment_instructions', 'payment_reminder', 'checkout_recovery', 'refund_made'));--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_kind_known" CHECK ("outgoing_mails"."kind" in ('workspace_invitation', 'payment_link', 'payment_receipt', 'payment_instructions', 'payment_reminder', 'checkout_recovery', 'refund_made'));