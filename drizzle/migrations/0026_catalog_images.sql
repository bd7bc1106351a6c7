CREATE TABLE "catalog_images" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"address" text NOT NULL,
	"status" text NOT NULL,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "catalog_images_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "catalog_images_status_known" CHECK ("catalog_images"."status" in ('uploading', 'stored', 'retired', 'removing', 'removed')),
	CONSTRAINT "catalog_images_address_form" CHECK ("catalog_images"."address" ~ '^[0-9a-f]{32}$'),
	CONSTRAINT "catalog_images_removal" CHECK (("catalog_images"."remove_at" is null) = ("catalog_images"."status" in ('stored', 'removed')))
);
--> statement-breakpoint
ALTER TABLE "catalog_items" ADD COLUMN "images" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "catalog_images" ADD CONSTRAINT "catalog_images_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_images_address" ON "catalog_images" USING btree ("address");--> statement-breakpoint
CREATE INDEX "catalog_images_due" ON "catalog_images" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
ALTER TABLE "catalog_items" ADD CONSTRAINT "catalog_items_images_max" CHECK (jsonb_array_length("catalog_items"."images") <= 8);