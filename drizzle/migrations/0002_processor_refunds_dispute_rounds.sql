ALTER TABLE "ledger_journals" DROP CONSTRAINT "ledger_journals_once";--> statement-breakpoint
ALTER TABLE "processor_notifications" DROP CONSTRAINT "processor_notifications_kind_known";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_status_known";--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "round" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "disputes" ALTER COLUMN "round" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "ledger_journals" ADD COLUMN "round" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "origin" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "origin" DROP DEFAULT;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_processor_ref" ON "refunds" USING btree ("processor","processor_ref");--> statement-breakpoint
ALTER TABLE "ledger_journals" ADD CONSTRAINT "ledger_journals_once" UNIQUE("tenant_id","source_type","source_id","entry_kind","round");--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_round_counted" CHECK ("disputes"."round" > 0);--> statement-breakpoint
ALTER TABLE "processor_notifications" ADD CONSTRAINT "processor_notifications_kind_known" CHECK ("processor_notifications"."kind" in ('attempt', 'refund', 'order', 'deposit', 'dispute', 'processor_refund'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_origin_known" CHECK ("refunds"."origin" in ('api', 'processor'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_made_at_processor" CHECK (case when "refunds"."origin" = 'processor'
        then "refunds"."payment_id" is not null and "refunds"."method" = 'original' and "refunds"."processor" is not null and "refunds"."processor_ref" is not null
          and "refunds"."status" in ('processing', 'succeeded', 'failed', 'integrity_failure')
        else "refunds"."status" <> 'integrity_failure' end);--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_status_known" CHECK ("refunds"."status" in ('requires_destination', 'pending_approval', 'pending', 'processing', 'succeeded', 'failed', 'canceled',
        'integrity_failure'));