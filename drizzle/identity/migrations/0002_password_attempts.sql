CREATE TABLE "password_attempts" (
	"account" text NOT NULL,
	"network" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"window_started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"admitted_at" timestamp with time zone,
	"proved_at" timestamp with time zone,
	CONSTRAINT "password_attempts_account_network_pk" PRIMARY KEY("account","network"),
	CONSTRAINT "password_attempts_account_is_a_digest" CHECK ("password_attempts"."account" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "password_attempts_network_length" CHECK (char_length("password_attempts"."network") <= 64),
	CONSTRAINT "password_attempts_counted" CHECK ("password_attempts"."attempts" >= 0)
);
--> statement-breakpoint
CREATE INDEX "password_attempts_by_window" ON "password_attempts" USING btree ("window_started_at");