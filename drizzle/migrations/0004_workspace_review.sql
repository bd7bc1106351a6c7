ALTER TABLE "mail_notices" DROP CONSTRAINT "mail_notices_kind_known";--> statement-breakpoint
ALTER TABLE "tenants" DROP CONSTRAINT "tenants_status_known";--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "status_reason" text;--> statement-breakpoint
ALTER TABLE "mail_notices" ADD CONSTRAINT "mail_notices_kind_known" CHECK ("mail_notices"."kind" in ('api_key_created', 'api_key_revoked', 'workspace_decided', 'bank_account_added'));--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_status_reason_length" CHECK (char_length("tenants"."status_reason") between 1 and 500);--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_status_known" CHECK ("tenants"."status" in ('active', 'pending', 'in_review', 'suspended', 'closed'));