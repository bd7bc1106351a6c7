CREATE TABLE "auth_secrets" (
	"environment" text NOT NULL,
	"version" integer NOT NULL,
	"fingerprint" text NOT NULL,
	"seals" boolean NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auth_secrets_environment_version_pk" PRIMARY KEY("environment","version"),
	CONSTRAINT "auth_secrets_environment" CHECK ("auth_secrets"."environment" in ('sandbox', 'live')),
	CONSTRAINT "auth_secrets_fingerprint" CHECK ("auth_secrets"."fingerprint" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "secret_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "two_factors" ADD COLUMN "unopened_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "sessions_by_secret" ON "sessions" USING btree ("secret_version","expires_at");--> statement-breakpoint
CREATE INDEX "two_factors_by_secret" ON "two_factors" USING btree (least(case when left("secret", 4) = '$ba$' then split_part("secret", '$', 3)::int else 1 end, case when left("backup_codes", 4) = '$ba$' then split_part("backup_codes", '$', 3)::int else 1 end));