CREATE TABLE "payment_link_views" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"views_count" integer NOT NULL,
	CONSTRAINT "payment_link_views_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "payment_link_views" ADD CONSTRAINT "payment_link_views_link" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."payment_links"("tenant_id","id") ON DELETE no action ON UPDATE no action;