ALTER TABLE "payment_contacts" ADD COLUMN "wants_mail" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_contacts_by_email" ON "payment_contacts" USING btree ("tenant_id","email");--> statement-breakpoint
ALTER TABLE "payment_contacts" ADD CONSTRAINT "payment_contacts_wanted" CHECK ("payment_contacts"."wants_mail");