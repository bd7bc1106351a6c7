DROP INDEX "payments_due_funds";--> statement-breakpoint
DROP INDEX "payments_due_reserve";--> statement-breakpoint
CREATE INDEX "payments_due_funds" ON "payments" USING btree ("available_on","tenant_id") WHERE funds_status = 'pending';--> statement-breakpoint
CREATE INDEX "payments_due_reserve" ON "payments" USING btree ("reserve_release_on","tenant_id") WHERE reserve_release_on is not null;