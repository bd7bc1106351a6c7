-- What counts as a second factor of an account: a confirmed authenticator, or a passkey, which verifies its user.
CREATE OR REPLACE FUNCTION has_second_factor(p_user_id text) RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
  SELECT EXISTS (SELECT FROM public.passkeys WHERE user_id = p_user_id)
      OR EXISTS (SELECT FROM public.users u JOIN public.two_factors t ON t.user_id = u.id
                  WHERE u.id = p_user_id AND u.two_factor_enabled AND t.verified)
$$;

-- A session cannot have shown a factor that its account does not have: a code of an unconfirmed authenticator does not
-- count, and a session that removes the last factor continues as one of a password alone.
CREATE OR REPLACE FUNCTION session_shows_what_there_is() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  IF NOT public.has_second_factor(NEW.user_id) THEN
    NEW.factor_verified_at := NULL;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER session_shows_what_there_is
  BEFORE INSERT OR UPDATE OF factor_verified_at ON sessions
  FOR EACH ROW WHEN (NEW.factor_verified_at IS NOT NULL)
  EXECUTE FUNCTION session_shows_what_there_is();

CREATE OR REPLACE FUNCTION sessions_lose_last_factor() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  UPDATE public.sessions SET factor_verified_at = NULL
   WHERE user_id = OLD.user_id AND factor_verified_at IS NOT NULL AND NOT public.has_second_factor(OLD.user_id);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER sessions_lose_last_factor AFTER DELETE ON passkeys
  FOR EACH ROW EXECUTE FUNCTION sessions_lose_last_factor();
CREATE OR REPLACE TRIGGER sessions_lose_last_factor AFTER DELETE ON two_factors
  FOR EACH ROW EXECUTE FUNCTION sessions_lose_last_factor();
