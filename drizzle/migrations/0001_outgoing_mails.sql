CREATE TABLE "outgoing_mails" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"locale" text NOT NULL,
	"recipient" text,
	"recipient_digest" text,
	"data" jsonb NOT NULL,
	"status" text NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "outgoing_mails_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "outgoing_mails_kind_known" CHECK ("outgoing_mails"."kind" in ('workspace_invitation')),
	CONSTRAINT "outgoing_mails_locale_known" CHECK ("outgoing_mails"."locale" in ('es-MX', 'en')),
	CONSTRAINT "outgoing_mails_status_known" CHECK ("outgoing_mails"."status" in ('waiting', 'dropped', 'sent', 'given_up')),
	CONSTRAINT "outgoing_mails_one_recipient" CHECK ("outgoing_mails"."recipient" ~ '^[A-Za-z0-9_+.''-]+@[A-Za-z0-9.-]+$' and char_length("outgoing_mails"."recipient") <= 254),
	CONSTRAINT "outgoing_mails_forget_recipient" CHECK (("outgoing_mails"."status" = 'waiting') = ("outgoing_mails"."recipient" is not null) and ("outgoing_mails"."status" = 'waiting') = ("outgoing_mails"."next_check_at" is not null) and ("outgoing_mails"."status" = 'waiting' or "outgoing_mails"."data" = '{}'))
);
--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outgoing_mails_due" ON "outgoing_mails" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "outgoing_mails_to" ON "outgoing_mails" USING btree ("recipient_digest","created_at");--> statement-breakpoint
CREATE INDEX "outgoing_mails_by_age" ON "outgoing_mails" USING btree ("created_at");