CREATE TABLE "stripe_connections" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"api_key" text,
	"api_key_last4" text NOT NULL,
	"webhook_secret" text,
	"webhook_secret_last4" text,
	"last_event_id" text,
	"last_event_at" timestamp (3) with time zone,
	"next_check_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stripe_connections_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "stripe_connections_encrypted" CHECK (coalesce("stripe_connections"."api_key", '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$' and coalesce("stripe_connections"."webhook_secret", '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$'),
	CONSTRAINT "stripe_connections_last4" CHECK (char_length("stripe_connections"."api_key_last4") = 4 and char_length("stripe_connections"."webhook_secret_last4") = 4),
	CONSTRAINT "stripe_connections_read" CHECK (("stripe_connections"."last_event_id" is null) = ("stripe_connections"."last_event_at" is null))
);
--> statement-breakpoint
ALTER TABLE "sync_sources" DROP CONSTRAINT "sync_sources_kind_known";--> statement-breakpoint
ALTER TABLE "stripe_connections" ADD CONSTRAINT "stripe_connections_source" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "stripe_connections_id" ON "stripe_connections" USING btree ("id");--> statement-breakpoint
CREATE INDEX "stripe_connections_due" ON "stripe_connections" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
ALTER TABLE "sync_sources" ADD CONSTRAINT "sync_sources_kind_known" CHECK ("sync_sources"."kind" in ('push', 'csv', 'stripe'));