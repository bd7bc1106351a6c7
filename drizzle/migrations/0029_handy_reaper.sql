CREATE TABLE "payment_link_uses" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"uses_max" integer,
	"paid_count" integer NOT NULL,
	"held_count" integer NOT NULL,
	"used_up_at" timestamp (3) with time zone,
	"announced_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_link_uses_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payment_link_uses_counted" CHECK ("payment_link_uses"."paid_count" >= 0 and "payment_link_uses"."held_count" >= 0),
	CONSTRAINT "payment_link_uses_bounded" CHECK ("payment_link_uses"."paid_count" + "payment_link_uses"."held_count" <= "payment_link_uses"."uses_max")
);
--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "uses_max" integer;--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "starts_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payment_link_uses" ADD CONSTRAINT "payment_link_uses_link" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."payment_links"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_link_uses_due" ON "payment_link_uses" USING btree ("used_up_at") WHERE used_up_at is not null and announced_at is null;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_uses_max" CHECK ("payment_links"."uses_max" is null or ("payment_links"."usage" = 'multi_use' and "payment_links"."uses_max" between 1 and 1000000));--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_opens_before_end" CHECK ("payment_links"."starts_at" < "payment_links"."expires_at");