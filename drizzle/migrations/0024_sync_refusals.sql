CREATE TABLE "sync_refusals" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"slice" integer NOT NULL,
	"records" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sync_refusals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "sync_refusals" ADD CONSTRAINT "sync_refusals_source" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_refusals" ADD CONSTRAINT "sync_refusals_run" FOREIGN KEY ("tenant_id","run_id") REFERENCES "public"."sync_runs"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sync_refusals_of" ON "sync_refusals" USING btree ("tenant_id","run_id","slice");--> statement-breakpoint
CREATE INDEX "sync_refusals_of_source" ON "sync_refusals" USING btree ("tenant_id","source_id");--> statement-breakpoint
CREATE INDEX "sync_refusals_by_age" ON "sync_refusals" USING btree ("created_at");