CREATE TABLE "sync_files" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"status" text NOT NULL,
	"bytes" integer NOT NULL,
	"shape" jsonb,
	"fields" jsonb,
	"remove_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sync_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "sync_files_status_known" CHECK ("sync_files"."status" in ('uploading', 'stored', 'replaced', 'removing', 'removed')),
	CONSTRAINT "sync_files_removal" CHECK (("sync_files"."remove_at" is null) = ("sync_files"."status" = 'removed')),
	CONSTRAINT "sync_files_stored" CHECK ("sync_files"."status" <> 'stored' or num_nulls("sync_files"."shape", "sync_files"."fields") = 0)
);
--> statement-breakpoint
ALTER TABLE "sync_runs" DROP CONSTRAINT "sync_runs_status_known";--> statement-breakpoint
ALTER TABLE "sync_runs" DROP CONSTRAINT "sync_runs_finished";--> statement-breakpoint
ALTER TABLE "sync_sources" DROP CONSTRAINT "sync_sources_kind_known";--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "cursor" jsonb;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "slices_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "progress" integer;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "file_id" uuid;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "tries_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "failure" jsonb;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD COLUMN "next_check_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sync_sources" ADD COLUMN "failure" jsonb;--> statement-breakpoint
ALTER TABLE "sync_files" ADD CONSTRAINT "sync_files_source" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."sync_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sync_files_one_stored" ON "sync_files" USING btree ("tenant_id","source_id") WHERE status = 'stored';--> statement-breakpoint
CREATE INDEX "sync_files_of" ON "sync_files" USING btree ("tenant_id","source_id");--> statement-breakpoint
CREATE INDEX "sync_files_due" ON "sync_files" USING btree ("remove_at") WHERE remove_at is not null;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_file" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."sync_files"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sync_runs_one_open" ON "sync_runs" USING btree ("tenant_id","source_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "sync_runs_next_check" ON "sync_runs" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "sync_runs_of_file" ON "sync_runs" USING btree ("tenant_id","file_id") WHERE file_id is not null;--> statement-breakpoint
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_due" CHECK (("sync_runs"."next_check_at" is not null) = ("sync_runs"."status" in ('queued', 'running')));--> statement-breakpoint
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_status_known" CHECK ("sync_runs"."status" in ('queued', 'succeeded', 'partial', 'failed', 'running', 'paused', 'canceled'));--> statement-breakpoint
ALTER TABLE "sync_runs" ADD CONSTRAINT "sync_runs_finished" CHECK (("sync_runs"."finished_at" is not null) = ("sync_runs"."status" in ('succeeded', 'partial', 'failed', 'canceled')));--> statement-breakpoint
ALTER TABLE "sync_sources" ADD CONSTRAINT "sync_sources_failure" CHECK ("sync_sources"."status" <> 'error' or "sync_sources"."failure" is not null);--> statement-breakpoint
ALTER TABLE "sync_sources" ADD CONSTRAINT "sync_sources_kind_known" CHECK ("sync_sources"."kind" in ('push', 'csv'));