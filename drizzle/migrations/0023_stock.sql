CREATE TABLE "stock_levels" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"location_id" uuid,
	"on_hand" integer NOT NULL,
	"reserved" integer NOT NULL,
	"low_quantity" integer,
	"low_since" timestamp (3) with time zone,
	"low_announced_at" timestamp (3) with time zone,
	"counted_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stock_levels_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "stock_levels_place" UNIQUE NULLS NOT DISTINCT("tenant_id","item_id","location_id"),
	CONSTRAINT "stock_levels_reserved_counted" CHECK ("stock_levels"."reserved" >= 0),
	CONSTRAINT "stock_levels_available" CHECK ("stock_levels"."reserved" <= "stock_levels"."on_hand"),
	CONSTRAINT "stock_levels_bounded" CHECK ("stock_levels"."on_hand" <= 1000000000),
	CONSTRAINT "stock_levels_low_quantity" CHECK ("stock_levels"."low_quantity" between 0 and 1000000000)
);
--> statement-breakpoint
CREATE TABLE "stock_movements" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"level_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"location_id" uuid,
	"kind" text NOT NULL,
	"quantity" integer NOT NULL,
	"note" text,
	"reservation_id" uuid,
	"transfer_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stock_movements_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "stock_movements_kind_known" CHECK ("stock_movements"."kind" in ('received', 'returned', 'damaged', 'lost', 'correction', 'count', 'transfer_out', 'transfer_in', 'sold')),
	CONSTRAINT "stock_movements_direction" CHECK (case when "stock_movements"."kind" in ('received', 'returned', 'transfer_in') then "stock_movements"."quantity" > 0
        when "stock_movements"."kind" in ('damaged', 'lost', 'transfer_out', 'sold') then "stock_movements"."quantity" < 0
        when "stock_movements"."kind" = 'correction' then "stock_movements"."quantity" <> 0 else true end),
	CONSTRAINT "stock_movements_sold" CHECK (("stock_movements"."kind" = 'sold') = ("stock_movements"."reservation_id" is not null)),
	CONSTRAINT "stock_movements_transfer" CHECK (("stock_movements"."kind" in ('transfer_in', 'transfer_out')) = ("stock_movements"."transfer_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "stock_reservations" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"status" text NOT NULL,
	"location_id" uuid,
	"lines" jsonb NOT NULL,
	"shortages" jsonb NOT NULL,
	"attempt_id" uuid,
	"note" text,
	"expires_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stock_reservations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "stock_reservations_status_known" CHECK ("stock_reservations"."status" in ('held', 'committed', 'released', 'expired')),
	CONSTRAINT "stock_reservations_lines_some" CHECK (jsonb_array_length("stock_reservations"."lines") between 1 and 2000),
	CONSTRAINT "stock_reservations_ends" CHECK (("stock_reservations"."attempt_id" is null) = ("stock_reservations"."expires_at" is not null)),
	CONSTRAINT "stock_reservations_resolved" CHECK (("stock_reservations"."status" = 'held') = ("stock_reservations"."resolved_at" is null))
);
--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_item" FOREIGN KEY ("tenant_id","item_id") REFERENCES "public"."catalog_items"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_level" FOREIGN KEY ("tenant_id","level_id") REFERENCES "public"."stock_levels"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_reservation" FOREIGN KEY ("tenant_id","reservation_id") REFERENCES "public"."stock_reservations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_reservations" ADD CONSTRAINT "stock_reservations_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_reservations" ADD CONSTRAINT "stock_reservations_location" FOREIGN KEY ("tenant_id","location_id") REFERENCES "public"."locations"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stock_levels_list" ON "stock_levels" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_levels_list_by_location" ON "stock_levels" USING btree ("tenant_id","location_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_levels_list_low" ON "stock_levels" USING btree ("tenant_id","created_at","id") WHERE low_since is not null;--> statement-breakpoint
CREATE INDEX "stock_levels_due" ON "stock_levels" USING btree ("low_since") WHERE low_since is not null and low_announced_at is null;--> statement-breakpoint
CREATE INDEX "stock_movements_list" ON "stock_movements" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_list_by_item" ON "stock_movements" USING btree ("tenant_id","item_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_list_by_kind" ON "stock_movements" USING btree ("tenant_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_list_by_location" ON "stock_movements" USING btree ("tenant_id","location_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_movements_of_level" ON "stock_movements" USING btree ("tenant_id","level_id");--> statement-breakpoint
CREATE INDEX "stock_movements_list_by_reservation" ON "stock_movements" USING btree ("tenant_id","reservation_id","created_at","id") WHERE reservation_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "stock_reservations_attempt" ON "stock_reservations" USING btree ("tenant_id","attempt_id") WHERE attempt_id is not null;--> statement-breakpoint
CREATE INDEX "stock_reservations_list" ON "stock_reservations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_reservations_list_by_status" ON "stock_reservations" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "stock_reservations_due" ON "stock_reservations" USING btree ("expires_at") WHERE status = 'held' and expires_at is not null;