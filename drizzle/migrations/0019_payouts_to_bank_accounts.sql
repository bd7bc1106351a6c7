ALTER TABLE "events" DROP CONSTRAINT "events_tell_no_account";--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_tell_no_account" CHECK (not (object -> 'destination' ? 'clabe') and not (previous_attributes -> 'destination' ? 'clabe')
        and (resource_type not in ('bank_account', 'payout_settings')
          or object::text || previous_attributes::text !~ '[0-9]{18}'));--> statement-breakpoint
ALTER TABLE "payout_settings" ADD COLUMN "bank_account_id" uuid;--> statement-breakpoint
DROP TRIGGER IF EXISTS "payout_day" ON "payout_settings";--> statement-breakpoint
ALTER TABLE "payout_settings" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "bank_accounts" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "bank_accounts" b SET "status" = 'verified', "verified_at" = coalesce(b."verified_at", s."updated_at"),
  "holder" = CASE b."status" WHEN 'verified' THEN b."holder" ELSE left(s."holder", 40) END,
  "cool_down_ends_at" = s."cool_down_ends_at", "next_check_at" = NULL, "resolved_at" = coalesce(b."resolved_at", now()),
  "version" = b."version" + 1, "updated_at" = now()
FROM "payout_settings" s
WHERE s."tenant_id" = b."tenant_id" AND s."clabe" = b."clabe" AND b."status" IN ('pending_verification', 'verified');--> statement-breakpoint
INSERT INTO "bank_accounts" ("tenant_id", "id", "status", "clabe", "holder", "verification", "verified_at", "cool_down_ends_at", "checks_count", "resolved_at", "created_at", "updated_at")
SELECT s."tenant_id", gen_random_uuid(), 'verified', s."clabe", left(s."holder", 40), 'review', s."updated_at", s."cool_down_ends_at", 0, s."updated_at", s."created_at", s."updated_at"
FROM "payout_settings" s
WHERE NOT EXISTS (SELECT FROM "bank_accounts" b WHERE b."tenant_id" = s."tenant_id" AND b."clabe" = s."clabe")
ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE "payout_settings" s SET "bank_account_id" = (SELECT b."id" FROM "bank_accounts" b
  WHERE b."tenant_id" = s."tenant_id" AND b."clabe" = s."clabe" ORDER BY b."status" = 'verified' DESC, b."created_at" DESC LIMIT 1);--> statement-breakpoint
ALTER TABLE "payout_settings" ALTER COLUMN "bank_account_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_settings" ADD CONSTRAINT "payout_settings_bank_account" FOREIGN KEY ("tenant_id","bank_account_id") REFERENCES "public"."bank_accounts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_settings" DROP CONSTRAINT "payout_settings_clabe_form";--> statement-breakpoint
ALTER TABLE "payout_settings" DROP COLUMN "clabe";--> statement-breakpoint
ALTER TABLE "payout_settings" DROP COLUMN "holder";--> statement-breakpoint
ALTER TABLE "payout_settings" DROP COLUMN "cool_down_ends_at";
