CREATE TABLE "discount_uses" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"discount_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"status" text NOT NULL,
	"is_counted" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "discount_uses_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "discount_uses_status_known" CHECK ("discount_uses"."status" in ('held', 'committed', 'released')),
	CONSTRAINT "discount_uses_held_counted" CHECK (case "discount_uses"."status" when 'held' then "discount_uses"."is_counted" when 'released' then not "discount_uses"."is_counted" else true end)
);
--> statement-breakpoint
CREATE TABLE "discounts" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"is_active" boolean NOT NULL,
	"amount_off_minor" bigint,
	"percent_off_bps" integer,
	"currency" text,
	"subtotal_minor_min" bigint,
	"uses_max" integer,
	"uses_per_customer_max" integer,
	"uses" integer NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "discounts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "discounts_code_form" CHECK ("discounts"."code" ~ '^[A-Z0-9][A-Z0-9_-]{2,39}$'),
	CONSTRAINT "discounts_one_kind" CHECK (("discounts"."amount_off_minor" is null) <> ("discounts"."percent_off_bps" is null)),
	CONSTRAINT "discounts_amount_positive" CHECK ("discounts"."amount_off_minor" between 1 and 999999999999),
	CONSTRAINT "discounts_percent_bounds" CHECK ("discounts"."percent_off_bps" between 1 and 10000),
	CONSTRAINT "discounts_subtotal_bounds" CHECK ("discounts"."subtotal_minor_min" between 1 and 999999999999),
	CONSTRAINT "discounts_currency" CHECK (("discounts"."currency" is null) = ("discounts"."amount_off_minor" is null and "discounts"."subtotal_minor_min" is null)
          and "discounts"."currency" ~ '^[a-z]{3}$' is not false),
	CONSTRAINT "discounts_uses_counted" CHECK ("discounts"."uses" >= 0),
	CONSTRAINT "discounts_uses_bounded" CHECK ("discounts"."uses" <= "discounts"."uses_max"),
	CONSTRAINT "discounts_uses_per_customer" CHECK ("discounts"."uses_per_customer_max" >= 1),
	CONSTRAINT "discounts_time" CHECK ("discounts"."ends_at" > "discounts"."starts_at")
);
--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "discounts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD COLUMN "takes_codes" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_discount" FOREIGN KEY ("tenant_id","discount_id") REFERENCES "public"."discounts"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_session" FOREIGN KEY ("tenant_id","session_id") REFERENCES "public"."checkout_sessions"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discounts" ADD CONSTRAINT "discounts_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "discount_uses_attempt" ON "discount_uses" USING btree ("tenant_id","attempt_id","discount_id");--> statement-breakpoint
CREATE INDEX "discount_uses_session" ON "discount_uses" USING btree ("tenant_id","session_id");--> statement-breakpoint
CREATE INDEX "discount_uses_discount" ON "discount_uses" USING btree ("tenant_id","discount_id");--> statement-breakpoint
CREATE UNIQUE INDEX "discounts_code" ON "discounts" USING btree ("tenant_id","code");--> statement-breakpoint
CREATE INDEX "discounts_list" ON "discounts" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_discounts_bounded" CHECK (jsonb_array_length("checkout_sessions"."discounts") <= 6);