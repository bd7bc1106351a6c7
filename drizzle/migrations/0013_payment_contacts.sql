CREATE TABLE "payment_contacts" (
	"tenant_id" text NOT NULL,
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
ALTER TABLE "outgoing_mails" DROP CONSTRAINT "outgoing_mails_kind_known";--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD COLUMN "payment_id" uuid;--> statement-breakpoint
ALTER TABLE "payment_contacts" ADD CONSTRAINT "payment_contacts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_contacts" ADD CONSTRAINT "payment_contacts_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_contacts_of" ON "payment_contacts" USING btree ("tenant_id","payment_id","created_at");--> statement-breakpoint
CREATE INDEX "payment_contacts_due" ON "payment_contacts" USING btree ("remind_at") WHERE remind_at is not null;--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD CONSTRAINT "outgoing_mails_kind_known" CHECK ("outgoing_mails"."kind" in ('workspace_invitation', 'payment_receipt', 'payment_instructions', 'payment_reminder', 'refund_made'));