-- Until an address is confirmed any person may have typed it. Removes what such a person could keep a hold of the account
-- with: sessions, second factors, backup codes, and sign-ins under way. Links in mails stay: only the owner reads them.
CREATE OR REPLACE FUNCTION forget_factors(p_user_id text) RETURNS void
  LANGUAGE sql SET search_path = pg_catalog, public AS $$
  DELETE FROM public.sessions WHERE user_id = p_user_id;
  DELETE FROM public.passkeys WHERE user_id = p_user_id;
  DELETE FROM public.two_factors WHERE user_id = p_user_id;
  DELETE FROM public.totp_uses WHERE user_id = p_user_id;
  DELETE FROM public.second_factor_failures WHERE user_id = p_user_id;
  DELETE FROM public.verifications v WHERE v.value = p_user_id AND NOT EXISTS (SELECT FROM public.mails m WHERE m.id = v.id);
$$;

-- The statement that confirms an address removes them, unless it names a live session of the account: then who reads the
-- mails and who holds the account is one person.
CREATE OR REPLACE FUNCTION confirming_forgets_factors() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  IF session_user = 'spindle_identity' AND NOT EXISTS (
      SELECT FROM public.sessions s WHERE s.user_id = NEW.id AND s.expires_at > now()
        AND s.token_digest = current_setting('spindle.confirming_session', true)) THEN
    PERFORM public.forget_factors(NEW.id);
    NEW.two_factor_enabled := false;
    NEW.unproved_until := now() + interval '7 days';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER confirming_forgets_factors BEFORE UPDATE OF email_verified ON users
  FOR EACH ROW WHEN (NEW.email_verified AND NOT OLD.email_verified)
  EXECUTE FUNCTION confirming_forgets_factors();

-- Enrolling takes a session of the account: one that was removed on the way enrols nothing. The lock orders it and the
-- confirmation.
CREATE OR REPLACE FUNCTION enrolling_takes_session() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  IF session_user = 'spindle_identity' THEN
    PERFORM FROM public.users WHERE id = NEW.user_id FOR SHARE;
    IF NOT EXISTS (SELECT FROM public.sessions WHERE user_id = NEW.user_id AND expires_at > now()) THEN
      RAISE EXCEPTION 'enrolling a factor takes a session' USING ERRCODE = '23514', CONSTRAINT = 'factors_take_session';
    END IF;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER enrolling_takes_session AFTER INSERT ON passkeys
  FOR EACH ROW EXECUTE FUNCTION enrolling_takes_session();
CREATE OR REPLACE TRIGGER enrolling_takes_session AFTER INSERT ON two_factors
  FOR EACH ROW EXECUTE FUNCTION enrolling_takes_session();

-- Confirms the address that a mail's link was sent to, which is mailed again. `p_session`: the digest of the session that
-- confirms, if one does.
CREATE OR REPLACE FUNCTION confirm_address(p_mail text, p_session text) RETURNS text
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
  v_user text;
BEGIN
  SELECT m.user_id INTO v_user FROM public.mails m
   WHERE m.id = p_mail AND m.kind = 'confirm_address' AND m.expires_at > now();
  IF NOT FOUND THEN
    RETURN 'mail_link_invalid';
  ELSIF p_session IS NOT NULL AND NOT EXISTS (
      SELECT FROM public.sessions WHERE token_digest = p_session AND user_id = v_user AND expires_at > now()) THEN
    RETURN 'session_invalid';
  END IF;
  PERFORM set_config('spindle.confirming_session', coalesce(p_session, ''), true);
  UPDATE public.users SET email_verified = true, updated_at = now() WHERE id = v_user;
  IF p_session IS NOT NULL THEN
    UPDATE public.users SET unproved_until = NULL WHERE id = v_user;
  END IF;
  DELETE FROM public.mail_suppressions WHERE user_id = v_user AND reason = 'hard_bounce';
  RETURN 'confirmed';
END
$$;
