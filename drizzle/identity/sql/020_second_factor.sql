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

-- Accepts an authenticator's code for a time step, once per account, and marks the session that showed it. Where the
-- code confirms a new authenticator, the authenticator is switched on by the same statement: a Worker that stops here,
-- or a slow database, never leaves the account without its session. Returns whether the code had not been used before;
-- null where the authenticator that it confirms, or the session, is gone. The lock orders it and what removes them.
CREATE OR REPLACE FUNCTION accept_time_step(p_user_id text, p_time_step bigint, p_session_id text, p_enrols boolean)
  RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  IF p_enrols THEN
    PERFORM FROM public.users WHERE id = p_user_id FOR NO KEY UPDATE;
  END IF;
  INSERT INTO public.totp_uses (user_id, time_step) VALUES (p_user_id, p_time_step) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    -- A right code that was used before is no guess: its attempt is uncounted, but not the failures before it.
    -- Otherwise an attacker who saw one code could keep guessing while it is fresh.
    DELETE FROM public.second_factor_failures WHERE user_id = p_user_id AND failures = 1;
    UPDATE public.second_factor_failures SET failures = failures - 1, locked_until = NULL
     WHERE user_id = p_user_id AND failures > 1;
    RETURN false;
  END IF;
  DELETE FROM public.second_factor_failures WHERE user_id = p_user_id;
  DELETE FROM public.totp_uses WHERE user_id = p_user_id AND time_step < p_time_step - 10;
  IF p_enrols THEN
    UPDATE public.two_factors SET verified = true WHERE user_id = p_user_id AND EXISTS (
      SELECT FROM public.sessions WHERE id = p_session_id AND user_id = p_user_id AND expires_at > now());
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    UPDATE public.users SET two_factor_enabled = true, updated_at = now()
     WHERE id = p_user_id AND NOT two_factor_enabled;
  END IF;
  UPDATE public.sessions SET factor_verified_at = now() WHERE id = p_session_id AND user_id = p_user_id;
  RETURN true;
END
$$;
