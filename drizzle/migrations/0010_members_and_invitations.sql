CREATE TABLE "workspace_invitations" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"locale" text NOT NULL,
	"status" text NOT NULL,
	"invited_by" text NOT NULL,
	"invited_by_email" text NOT NULL,
	"accepted_by" text,
	"sends_count" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workspace_invitations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "workspace_invitations_role_known" CHECK ("workspace_invitations"."role" in ('owner', 'admin', 'member')),
	CONSTRAINT "workspace_invitations_locale_known" CHECK ("workspace_invitations"."locale" in ('es-MX', 'en')),
	CONSTRAINT "workspace_invitations_status_known" CHECK ("workspace_invitations"."status" in ('pending', 'accepted', 'revoked', 'expired')),
	CONSTRAINT "workspace_invitations_email_form" CHECK ("workspace_invitations"."email" ~ '^[^@[:space:]]+@[^@[:space:]]+$' and "workspace_invitations"."email" = lower("workspace_invitations"."email") and char_length("workspace_invitations"."email") <= 254),
	CONSTRAINT "workspace_invitations_to_an_address" CHECK ("workspace_invitations"."status" <> 'pending' or "workspace_invitations"."email" is not null),
	CONSTRAINT "workspace_invitations_accepted_by_one" CHECK (("workspace_invitations"."status" = 'accepted') = ("workspace_invitations"."accepted_by" is not null)),
	CONSTRAINT "workspace_invitations_sends_counted" CHECK ("workspace_invitations"."sends_count" between 1 and 5)
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "invitation_id" uuid;--> statement-breakpoint
ALTER TABLE "workspace_invitations" ADD CONSTRAINT "workspace_invitations_tenant" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "workspace_invitations_id" ON "workspace_invitations" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "workspace_invitations_one_pending" ON "workspace_invitations" USING btree ("tenant_id","email") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "workspace_invitations_list" ON "workspace_invitations" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "workspace_invitations_list_by_status" ON "workspace_invitations" USING btree ("tenant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "workspace_invitations_due" ON "workspace_invitations" USING btree ("expires_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "workspace_invitations_to_forget" ON "workspace_invitations" USING btree ("updated_at") WHERE status <> 'pending' and email is not null;--> statement-breakpoint
CREATE INDEX "memberships_by_email" ON "memberships" USING btree ("tenant_id","email");--> statement-breakpoint
CREATE INDEX "memberships_list" ON "memberships" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_id" UNIQUE("tenant_id","id");