-- The mailbox that an address leads to: what follows a plus is left out, at Gmail dots too.
CREATE OR REPLACE FUNCTION mailbox_of(p_address text) RETURNS text
  LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public AS $$
  SELECT CASE WHEN p.domain IN ('gmail.com', 'googlemail.com')
    THEN replace(p.person, '.', '') || '@gmail.com' ELSE p.person || '@' || p.domain END
  FROM (SELECT regexp_replace(split_part(lower(p_address), '@', 1), '(.)\+.*$', '\1') AS person,
               split_part(lower(p_address), '@', 2) AS domain) p
$$;

-- An address that is not confirmed may be any alias of a stranger's mailbox: that gets at most five mails of a kind in an
-- hour for all of them, and signing up mails from one network fifty times in a day. The account is made in any case. A
-- confirmed account is limited by itself (request_mail). The locks count requests at once. A network is unknown on a local stack.
CREATE OR REPLACE FUNCTION limit_sign_up_mails() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
  c_mailbox_max constant integer := 5;
  c_network_max constant integer := 50;
BEGIN
  IF NEW.kind = 'reset_password' AND (SELECT email_verified FROM public.users WHERE id = NEW.user_id) THEN
    RETURN NEW;
  END IF;
  SELECT encode(sha256(convert_to(mailbox_of(email), 'UTF8')), 'hex') INTO NEW.mailbox FROM public.users WHERE id = NEW.user_id;
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW.mailbox, 0));
  IF c_mailbox_max <= (SELECT count(*) FROM public.mails m
      WHERE m.mailbox = NEW.mailbox AND m.kind = NEW.kind AND m.created_at > now() - interval '1 hour') THEN
    RETURN NULL;
  END IF;
  IF NEW.network IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('sign-up ' || NEW.network, 0));
    IF c_network_max <= (SELECT count(*) FROM public.mails m
        WHERE m.network = NEW.network AND m.created_at > now() - interval '1 day') THEN
      RETURN NULL;
    END IF;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER limit_sign_up_mails BEFORE INSERT ON mails
  FOR EACH ROW WHEN (NEW.kind IN ('confirm_address', 'reset_password')) EXECUTE FUNCTION limit_sign_up_mails();

-- Asks for a mail with a link: at most five of a kind per account in an hour, so that no person fills another's mailbox.
-- The lock makes concurrent requests count each other. Does nothing for an address without an account, or for one that
-- is confirmed already and can be reached. A link to set a password gets the challenge that better-auth looks up.
CREATE OR REPLACE FUNCTION request_mail(p_email text, p_kind text, p_id text, p_secret_version integer, p_identifier text)
  RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
  c_hourly_max constant integer := 5;
  v_life constant interval := CASE p_kind WHEN 'reset_password' THEN interval '1 hour' ELSE interval '24 hours' END;
  v_user public.users;
BEGIN
  SELECT * INTO v_user FROM public.users WHERE email = p_email FOR NO KEY UPDATE;
  IF NOT FOUND OR c_hourly_max <= (
      SELECT count(*) FROM public.mails
       WHERE user_id = v_user.id AND kind = p_kind AND created_at > now() - interval '1 hour')
      OR p_kind = 'confirm_address' AND v_user.email_verified AND NOT EXISTS (
        SELECT FROM public.mail_suppressions s WHERE s.user_id = v_user.id AND s.reason = 'hard_bounce') THEN
    RETURN;
  END IF;
  INSERT INTO public.mails (id, user_id, kind, secret_version, expires_at)
  VALUES (p_id, v_user.id, p_kind, p_secret_version, now() + v_life);
  IF FOUND AND p_identifier IS NOT NULL THEN
    INSERT INTO public.verifications (id, identifier, value, expires_at)
    VALUES (p_id, p_identifier, v_user.id, now() + v_life);
  END IF;
END
$$;

-- A sign-in from a network that has not signed in to the account within thirty days is mailed to its confirmed address,
-- by the statement that begins the session. The session of a first step is not one: a second factor is still
-- to be shown. The first sign-in of a new account is no news. better-auth stores of an IPv6 address the /64.
-- At most five in an hour, as of the mails that are asked for; the lock on the account counts sign-ins at
-- once.
CREATE OR REPLACE FUNCTION mail_new_sign_in() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
  c_hourly_max constant integer := 5;
  v_user public.users;
  v_network constant text := coalesce(nullif(NEW.ip_address, ''), 'local');
  v_networks integer;
  v_known boolean;
BEGIN
  IF NEW.factor_verified_at IS NULL AND public.has_second_factor(NEW.user_id) THEN
    RETURN NULL;
  END IF;
  SELECT * INTO v_user FROM public.users WHERE id = NEW.user_id FOR NO KEY UPDATE;
  SELECT count(*), coalesce(bool_or(n.network = v_network AND n.last_at > now() - interval '30 days'), false)
    INTO v_networks, v_known FROM public.sign_in_networks n WHERE n.user_id = NEW.user_id;
  INSERT INTO public.sign_in_networks (user_id, network) VALUES (NEW.user_id, v_network)
    ON CONFLICT (user_id, network) DO UPDATE SET last_at = now();
  IF v_user.email_verified AND NOT v_known AND (v_networks > 0 OR v_user.created_at < now() - interval '1 day')
      AND c_hourly_max > (
        SELECT count(*) FROM public.mails
         WHERE user_id = NEW.user_id AND kind = 'new_sign_in' AND created_at > now() - interval '1 hour') THEN
    INSERT INTO public.mails (id, user_id, kind, data, expires_at)
    VALUES (gen_random_uuid()::text, NEW.user_id, 'new_sign_in', jsonb_build_object(
      'ip_address', coalesce(NEW.ip_address, ''), 'user_agent', left(coalesce(NEW.user_agent, ''), 200),
      'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), now() + interval '1 day');
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER mail_new_sign_in AFTER INSERT ON sessions
  FOR EACH ROW EXECUTE FUNCTION mail_new_sign_in();

-- Sets a password with a link of a mail, which works once: of two that are used at once only one sets a password. Its
-- reader owns the address, which is confirmed so; factors go where they may be another person's. False when the link
-- is ended, used or too old.
CREATE OR REPLACE FUNCTION set_password_by_mail(p_identifier text, p_password text) RETURNS boolean
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
  v_user public.users;
BEGIN
  SELECT u.* INTO v_user FROM public.verifications v JOIN public.users u ON u.id = v.value
   WHERE v.identifier = p_identifier FOR NO KEY UPDATE OF u;
  DELETE FROM public.verifications WHERE identifier = p_identifier AND value = v_user.id AND expires_at > now();
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE public.accounts SET password = p_password, updated_at = now() WHERE user_id = v_user.id;
  DELETE FROM public.verifications WHERE value = v_user.id;
  IF NOT v_user.email_verified OR v_user.unproved_until > now() THEN
    PERFORM public.forget_factors(v_user.id);
    UPDATE public.users SET email_verified = true, two_factor_enabled = false, updated_at = now() WHERE id = v_user.id;
    UPDATE public.users SET unproved_until = NULL WHERE id = v_user.id;
  END IF;
  RETURN true;
END
$$;

-- What the provider reports of a mail, as door.report_mail of the environments has it.
CREATE OR REPLACE FUNCTION report_mail(p_mail text, p_report text) RETURNS void
  LANGUAGE sql SET search_path = pg_catalog, public AS $$
  WITH reported AS (
    UPDATE public.mails m SET report = p_report
     WHERE m.id = p_mail AND (m.report IS NULL OR m.report = 'delivered' AND p_report <> 'delivered')
    RETURNING m.user_id)
  INSERT INTO public.mail_suppressions (user_id, reason)
  SELECT r.user_id, CASE p_report WHEN 'bounced' THEN 'hard_bounce' ELSE 'complaint' END
    FROM reported r WHERE p_report <> 'delivered'
  ON CONFLICT DO NOTHING
$$;
