CREATE TABLE "door_event_types" (
	"type" text PRIMARY KEY NOT NULL,
	"scopes" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "door_settings" ADD COLUMN "commit_order_offset" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "commit_order" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "position" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
CREATE INDEX "events_followed" ON "events" USING btree ("tenant_id","type","commit_order","position");