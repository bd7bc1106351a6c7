-- better-auth switches an authenticator on (and off) in two statements without a transaction. A Worker that stops in
-- between would leave an account that must show a factor which does not count as one: this trigger makes the second
-- step part of the first.
CREATE OR REPLACE FUNCTION two_factor_follows_user() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  IF NEW.two_factor_enabled THEN
    UPDATE public.two_factors SET verified = true WHERE user_id = NEW.id AND NOT verified;
  ELSE
    DELETE FROM public.two_factors WHERE user_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER two_factor_follows_user
  AFTER UPDATE OF two_factor_enabled ON users
  FOR EACH ROW WHEN (OLD.two_factor_enabled IS DISTINCT FROM NEW.two_factor_enabled)
  EXECUTE FUNCTION two_factor_follows_user();
