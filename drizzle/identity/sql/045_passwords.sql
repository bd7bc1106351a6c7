-- The statement that sets a new password also ends every session of the account, and every sign-in that has shown the
-- old one and waits for its second step, even if the Worker stops after it.
CREATE OR REPLACE FUNCTION password_ends_sessions() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  DELETE FROM public.sessions WHERE user_id = NEW.user_id;
  DELETE FROM public.verifications WHERE value = NEW.user_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER password_ends_sessions AFTER UPDATE OF password ON accounts
  FOR EACH ROW WHEN (OLD.password IS DISTINCT FROM NEW.password)
  EXECUTE FUNCTION password_ends_sessions();
