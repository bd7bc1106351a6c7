DROP INDEX "webhook_deliveries_waiting";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "hastened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "hastened_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_in_back_off" ON "webhook_deliveries" USING btree ("endpoint_id","updated_at") WHERE status = 'retrying';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("endpoint_id",(case when status = 'in_flight' then 0 when status = 'retrying' or origin = 'recovery' then 2 else 1 end),"next_attempt_at") WHERE next_attempt_at is not null;