CREATE TABLE "catalog_categories" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"catalog_id" uuid NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_categories_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "catalog_categories_of_catalog" UNIQUE("tenant_id","catalog_id","id"),
	CONSTRAINT "catalog_categories_status_known" CHECK ("catalog_categories"."status" in ('active', 'archived'))
);
--> statement-breakpoint
CREATE TABLE "catalog_item_terms" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"catalog_id" uuid NOT NULL,
	"term" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_item_terms_tenant_id_catalog_id_term_created_at_id_pk" PRIMARY KEY("tenant_id","catalog_id","term","created_at","id")
);
--> statement-breakpoint
CREATE TABLE "catalog_items" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"catalog_id" uuid NOT NULL,
	"status" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"sku" text,
	"category_id" uuid,
	"variant_of" uuid,
	"option_values" jsonb,
	"options" jsonb NOT NULL,
	"components" jsonb NOT NULL,
	"iva_rate" text NOT NULL,
	"price_includes_tax" boolean NOT NULL,
	"sat_product_code" text,
	"sat_unit_code" text,
	"tracks_stock" boolean NOT NULL,
	"keys" text,
	"downloads_max" integer,
	"access_days" integer,
	"revoke_on" text NOT NULL,
	"sold_quantity_max" integer,
	"metadata" jsonb NOT NULL,
	"terms" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_items_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "catalog_items_of_catalog" UNIQUE("tenant_id","catalog_id","id"),
	CONSTRAINT "catalog_items_status_known" CHECK ("catalog_items"."status" in ('active', 'inactive', 'archived')),
	CONSTRAINT "catalog_items_kind_known" CHECK ("catalog_items"."kind" in ('file', 'license_key', 'access', 'voucher', 'service', 'physical_count', 'bundle')),
	CONSTRAINT "catalog_items_iva_rate_known" CHECK ("catalog_items"."iva_rate" in ('16', '8', '0', 'exempt')),
	CONSTRAINT "catalog_items_revoke_on_known" CHECK ("catalog_items"."revoke_on" in ('full_refund', 'any_refund', 'never')),
	CONSTRAINT "catalog_items_keys_known" CHECK ("catalog_items"."keys" in ('pool', 'generated')),
	CONSTRAINT "catalog_items_keys_of_kind" CHECK (("catalog_items"."kind" = 'license_key') = ("catalog_items"."keys" is not null)),
	CONSTRAINT "catalog_items_downloads_max" CHECK ("catalog_items"."downloads_max" is null or "catalog_items"."kind" = 'file'),
	CONSTRAINT "catalog_items_sat_product_code_form" CHECK ("catalog_items"."sat_product_code" ~ '^[0-9]{8}$'),
	CONSTRAINT "catalog_items_sat_unit_code_form" CHECK ("catalog_items"."sat_unit_code" ~ '^[A-Z0-9]{2,3}$'),
	CONSTRAINT "catalog_items_positive" CHECK (least("catalog_items"."downloads_max", "catalog_items"."access_days", "catalog_items"."sold_quantity_max") > 0),
	CONSTRAINT "catalog_items_variant" CHECK (("catalog_items"."variant_of" is null) = ("catalog_items"."option_values" is null) and ("catalog_items"."variant_of" is null or "catalog_items"."options" = '[]')),
	CONSTRAINT "catalog_items_bundle" CHECK (case when "catalog_items"."kind" = 'bundle' then jsonb_array_length("catalog_items"."components") between 2 and 20 and "catalog_items"."options" = '[]' and not "catalog_items"."tracks_stock" else "catalog_items"."components" = '[]' end),
	CONSTRAINT "catalog_items_parent_has_no_stock" CHECK ("catalog_items"."options" = '[]' or not "catalog_items"."tracks_stock")
);
--> statement-breakpoint
CREATE TABLE "catalog_prices" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"compare_at_minor" bigint,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_prices_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "catalog_prices_amount_bounded" CHECK ("catalog_prices"."amount_minor" between 0 and 999999999999),
	CONSTRAINT "catalog_prices_compare_at" CHECK ("catalog_prices"."compare_at_minor" > "catalog_prices"."amount_minor"),
	CONSTRAINT "catalog_prices_compare_at_bounded" CHECK ("catalog_prices"."compare_at_minor" <= 999999999999),
	CONSTRAINT "catalog_prices_currency_form" CHECK ("catalog_prices"."currency" ~ '^[a-z]{3}$'),
	CONSTRAINT "catalog_prices_ends_after_start" CHECK ("catalog_prices"."ends_at" >= "catalog_prices"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "digital_catalogs" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"public_id" text NOT NULL,
	"status" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"currency" text NOT NULL,
	"metadata" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "digital_catalogs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "digital_catalogs_public_id_form" CHECK ("digital_catalogs"."public_id" ~ '^scat_[a-z0-9]{32}$'),
	CONSTRAINT "digital_catalogs_status_known" CHECK ("digital_catalogs"."status" in ('draft', 'published', 'archived')),
	CONSTRAINT "digital_catalogs_currency_form" CHECK ("digital_catalogs"."currency" ~ '^[a-z]{3}$')
);
--> statement-breakpoint
ALTER TABLE "metadata_entries" DROP CONSTRAINT "metadata_entries_resource_known";--> statement-breakpoint
ALTER TABLE "catalog_categories" ADD CONSTRAINT "catalog_categories_catalog" FOREIGN KEY ("tenant_id","catalog_id") REFERENCES "public"."digital_catalogs"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_item_terms" ADD CONSTRAINT "catalog_item_terms_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_items" ADD CONSTRAINT "catalog_items_catalog" FOREIGN KEY ("tenant_id","catalog_id") REFERENCES "public"."digital_catalogs"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_items" ADD CONSTRAINT "catalog_items_category" FOREIGN KEY ("tenant_id","catalog_id","category_id") REFERENCES "public"."catalog_categories"("tenant_id","catalog_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_items" ADD CONSTRAINT "catalog_items_parent" FOREIGN KEY ("tenant_id","catalog_id","variant_of") REFERENCES "public"."catalog_items"("tenant_id","catalog_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_prices" ADD CONSTRAINT "catalog_prices_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digital_catalogs" ADD CONSTRAINT "digital_catalogs_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_categories_name" ON "catalog_categories" USING btree ("tenant_id","catalog_id",lower("name")) WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "catalog_categories_list" ON "catalog_categories" USING btree ("tenant_id","catalog_id","position","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_items_sku" ON "catalog_items" USING btree ("tenant_id","sku") WHERE status <> 'archived';--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_items_variants" ON "catalog_items" USING btree ("tenant_id","variant_of","option_values") WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX "catalog_items_list" ON "catalog_items" USING btree ("tenant_id","catalog_id","created_at","id");--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_status" ON "catalog_items" USING btree ("tenant_id","catalog_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_kind" ON "catalog_items" USING btree ("tenant_id","catalog_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_category" ON "catalog_items" USING btree ("tenant_id","catalog_id","category_id","created_at","id") WHERE category_id is not null;--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_parent" ON "catalog_items" USING btree ("tenant_id","catalog_id","variant_of","created_at","id") WHERE variant_of is not null;--> statement-breakpoint
CREATE INDEX "catalog_items_list_by_sku" ON "catalog_items" USING btree ("tenant_id","catalog_id","sku","created_at","id") WHERE sku is not null;--> statement-breakpoint
CREATE INDEX "catalog_prices_in_effect" ON "catalog_prices" USING btree ("tenant_id","item_id","currency","starts_at","id");--> statement-breakpoint
CREATE INDEX "catalog_prices_list" ON "catalog_prices" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "digital_catalogs_public_id" ON "digital_catalogs" USING btree ("public_id");--> statement-breakpoint
CREATE INDEX "digital_catalogs_list" ON "digital_catalogs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "digital_catalogs_list_by_status" ON "digital_catalogs" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
ALTER TABLE "metadata_entries" ADD CONSTRAINT "metadata_entries_resource_known" CHECK ("metadata_entries"."resource" in ('customer', 'digital_catalog', 'catalog_item', 'payment_link', 'payment'));