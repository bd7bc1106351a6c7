-- The Workers' role in the identity database: rows of these tables and nothing else. Runs as an owner that is no
-- superuser (CREATEROLE, as on Neon); the deployer sets the password, never this file.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'spindle_identity') THEN
    CREATE ROLE spindle_identity LOGIN;
  END IF;
END
$$;

DO $$
BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END
$$;

ALTER ROLE spindle_identity SET statement_timeout = '5s';
ALTER ROLE spindle_identity SET idle_in_transaction_session_timeout = '5s';

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM spindle_identity;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM spindle_identity;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM spindle_identity;
REVOKE ALL ON ALL ROUTINES IN SCHEMA public FROM spindle_identity;

GRANT USAGE ON SCHEMA public TO spindle_identity;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  users, sessions, accounts, verifications, two_factors, passkeys, totp_uses, second_factor_failures,
  password_attempts, mails, mail_suppressions, sign_in_networks
  TO spindle_identity;
