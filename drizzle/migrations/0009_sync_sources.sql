CREATE TABLE "customer_external_ids" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"external_id" text,
	"external_id_digest" text,
	"customer_id" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customer_external_ids_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "customer_external_ids_either" CHECK (("customer_external_ids"."external_id" is null) = ("customer_external_ids"."external_id_digest" is not null))
);
--> statement-breakpoint
CREATE TABLE "sync_runs" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"total" integer,
	"created" integer NOT NULL,
	"updated" integer NOT NULL,
	"skipped" integer NOT NULL,
	"failed" integer NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sync_runs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sync_runs_mode_known" CHECK ("sync_runs"."mode" in ('live', 'backfill')),
	CONSTRAINT "sync_runs_status_known" CHECK ("sync_runs"."status" in ('queued', 'succeeded', 'partial', 'failed', 'running')),
	CONSTRAINT "sync_runs_counts" CHECK (least("sync_runs"."created", "sync_runs"."updated", "sync_runs"."skipped", "sync_runs"."failed") >= 0),
	CONSTRAINT "sync_runs_finished" CHECK (("sync_runs"."finished_at" is not null) = ("sync_runs"."status" in ('succeeded', 'partial', 'failed')))
);
--> statement-breakpoint
CREATE TABLE "sync_sources" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sync_sources_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sync_sources_kind_known" CHECK ("sync_sources"."kind" in ('push')),
	CONSTRAINT "sync_sources_status_known" CHECK ("sync_sources"."status" in ('created', 'error', 'connecting', 'paused', 'active', 'disconnected'))
);
--> statement-breakpoint
ALTER TABLE "customer_external_ids" ADD CONSTRAINT "customer_external_ids_source" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_external_ids" ADD CONSTRAINT "customer_external_ids_customer" FOREIGN KEY ("tenant_id","customer_id") REFERENCES "public"."customers"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_source" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sync_sources" ADD CONSTRAINT "sync_sources_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "customer_external_ids_one" ON "customer_external_ids" USING btree ("tenant_id","source_id","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_external_ids_tombstone" ON "customer_external_ids" USING btree ("tenant_id","source_id","external_id_digest") WHERE external_id_digest is not null;--> statement-breakpoint
CREATE INDEX "customer_external_ids_of" ON "customer_external_ids" USING btree ("tenant_id","customer_id");--> statement-breakpoint
CREATE INDEX "sync_runs_list" ON "sync_runs" USING btree ("tenant_id","source_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sync_runs_list_by_status" ON "sync_runs" USING btree ("tenant_id","source_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "sync_sources_list" ON "sync_sources" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sync_sources_list_by_status" ON "sync_sources" USING btree ("tenant_id","status","created_at","id");