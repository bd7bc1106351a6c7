CREATE TABLE "delivered_files" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"name" text NOT NULL,
	"bytes" integer NOT NULL,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "delivered_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "delivered_files_status_known" CHECK ("delivered_files"."status" in ('uploading', 'stored', 'retired', 'removing', 'removed')),
	CONSTRAINT "delivered_files_address_form" CHECK ("delivered_files"."address" ~ '^[0-9a-f]{32}$'),
	CONSTRAINT "delivered_files_removal" CHECK (("delivered_files"."remove_at" is null) = ("delivered_files"."status" in ('stored', 'removed'))),
	CONSTRAINT "delivered_files_bytes_some" CHECK ("delivered_files"."bytes" > 0)
);
--> statement-breakpoint
CREATE TABLE "entitlements" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"item_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"number" integer NOT NULL,
	"revoke_on" text NOT NULL,
	"downloads_max" integer,
	"downloads_count" integer NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"code_from" text,
	"code_ciphertext" text,
	"code_digest" text,
	"code_last4" text,
	"ready_at" timestamp (3) with time zone,
	"redeemed_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"revoked_because" text,
	"announced" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "entitlements_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "entitlements_status_known" CHECK ("entitlements"."status" in ('pending', 'active', 'revoked')),
	CONSTRAINT "entitlements_kind_known" CHECK ("entitlements"."kind" in ('file', 'license_key', 'access', 'voucher')),
	CONSTRAINT "entitlements_revoke_on_known" CHECK ("entitlements"."revoke_on" in ('full_refund', 'any_refund', 'never')),
	CONSTRAINT "entitlements_code_from_known" CHECK ("entitlements"."code_from" in ('pool', 'generated')),
	CONSTRAINT "entitlements_revoked_because_known" CHECK ("entitlements"."revoked_because" in ('refund', 'dispute', 'merchant')),
	CONSTRAINT "entitlements_announced_known" CHECK ("entitlements"."announced" in ('pending', 'active', 'revoked')),
	CONSTRAINT "entitlements_number_counted" CHECK ("entitlements"."number" > 0),
	CONSTRAINT "entitlements_downloads" CHECK ("entitlements"."downloads_count" between 0 and coalesce("entitlements"."downloads_max", 2147483647)),
	CONSTRAINT "entitlements_ready" CHECK (case "entitlements"."status" when 'pending' then "entitlements"."ready_at" is null when 'active' then "entitlements"."ready_at" is not null else true end),
	CONSTRAINT "entitlements_code_parts" CHECK (num_nonnulls("entitlements"."code_ciphertext", "entitlements"."code_digest") = case when "entitlements"."code_from" = 'generated' and "entitlements"."ready_at" is not null then 2 else 0 end),
	CONSTRAINT "entitlements_revoked" CHECK (("entitlements"."status" = 'revoked') = ("entitlements"."revoked_at" is not null) and ("entitlements"."status" = 'revoked') = ("entitlements"."revoked_because" is not null)),
	CONSTRAINT "entitlements_redeemed" CHECK ("entitlements"."redeemed_at" is null or "entitlements"."kind" = 'voucher' and "entitlements"."ready_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "license_keys" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"status" text NOT NULL,
	"ciphertext" text NOT NULL,
	"digest" text NOT NULL,
	"last4" text NOT NULL,
	"entitlement_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "license_keys_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "license_keys_status_known" CHECK ("license_keys"."status" in ('available', 'assigned', 'withdrawn')),
	CONSTRAINT "license_keys_assigned" CHECK (("license_keys"."status" = 'assigned') = ("license_keys"."entitlement_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "delivers" jsonb;--> statement-breakpoint
ALTER TABLE "delivered_files" ADD CONSTRAINT "delivered_files_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entitlements" ADD CONSTRAINT "entitlements_payment" FOREIGN KEY ("tenant_id","payment_id") REFERENCES "public"."payments"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "license_keys" ADD CONSTRAINT "license_keys_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "license_keys" ADD CONSTRAINT "license_keys_entitlement" FOREIGN KEY ("tenant_id","entitlement_id") REFERENCES "public"."entitlements"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "delivered_files_address" ON "delivered_files" USING btree ("address");--> statement-breakpoint
CREATE INDEX "delivered_files_due" ON "delivered_files" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
CREATE INDEX "delivered_files_list" ON "delivered_files" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "entitlements_of_payment" ON "entitlements" USING btree ("tenant_id","payment_id","item_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "entitlements_code" ON "entitlements" USING btree ("tenant_id","code_digest") WHERE code_digest is not null;--> statement-breakpoint
CREATE INDEX "entitlements_list" ON "entitlements" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "entitlements_list_by_status" ON "entitlements" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "entitlements_list_by_item" ON "entitlements" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE INDEX "entitlements_list_by_payment" ON "entitlements" USING btree ("tenant_id","payment_id","created_at","id");--> statement-breakpoint
CREATE INDEX "entitlements_awaiting_key" ON "entitlements" USING btree ("tenant_id","item_id","created_at","id") WHERE status = 'pending' and code_from = 'pool';--> statement-breakpoint
CREATE INDEX "entitlements_due" ON "entitlements" USING btree ("updated_at") WHERE announced is distinct from status or status = 'pending' and code_from = 'generated';--> statement-breakpoint
CREATE UNIQUE INDEX "license_keys_once" ON "license_keys" USING btree ("tenant_id","item_id","digest");--> statement-breakpoint
CREATE UNIQUE INDEX "license_keys_one_each" ON "license_keys" USING btree ("tenant_id","entitlement_id") WHERE entitlement_id is not null;--> statement-breakpoint
CREATE INDEX "license_keys_available" ON "license_keys" USING btree ("tenant_id","item_id","created_at","id") WHERE status = 'available';--> statement-breakpoint
CREATE INDEX "license_keys_list" ON "license_keys" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "license_keys_list_by_item" ON "license_keys" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE INDEX "license_keys_list_by_status" ON "license_keys" USING btree ("tenant_id","status","created_at","id");