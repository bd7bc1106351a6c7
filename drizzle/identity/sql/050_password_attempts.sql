-- Whether a password may be checked now: 0, or how many seconds to wait. Counts before the check, under a lock of the
-- account's row: fifty concurrent tries count as fifty. Limits: 10 per network in 15 minutes; 100 in 15 minutes for all
-- networks that have not signed in to the account within 30 days, then one per 5 seconds.
CREATE OR REPLACE FUNCTION admit_password(p_account text, p_network text) RETURNS integer
  LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
DECLARE
  c_window constant interval := '15 minutes';
  c_pause constant interval := '5 seconds';
  v_now constant timestamptz := clock_timestamp();
  v_all public.password_attempts;
  v_own public.password_attempts;
  v_known boolean;
BEGIN
  INSERT INTO public.password_attempts (account, network) VALUES (p_account, ''), (p_account, p_network)
    ON CONFLICT DO NOTHING;
  SELECT * INTO v_all FROM public.password_attempts WHERE account = p_account AND network = '' FOR UPDATE;
  SELECT * INTO v_own FROM public.password_attempts WHERE account = p_account AND network = p_network FOR UPDATE;
  IF v_own.window_started_at <= v_now - c_window THEN
    v_own.attempts := 0;
    v_own.window_started_at := v_now;
  END IF;
  IF v_all.window_started_at <= v_now - c_window THEN
    v_all.attempts := 0;
    v_all.window_started_at := v_now;
  END IF;
  IF v_own.attempts >= 10 THEN
    RETURN ceil(extract(epoch FROM v_own.window_started_at + c_window - v_now));
  END IF;
  -- A session proves more than an address does.
  v_known := p_network = 'session' OR coalesce(v_own.proved_at > v_now - interval '30 days', false);
  IF NOT v_known AND v_all.attempts >= 100 AND v_all.admitted_at > v_now - c_pause THEN
    RETURN ceil(extract(epoch FROM v_all.admitted_at + c_pause - v_now));
  END IF;
  UPDATE public.password_attempts
     SET attempts = v_own.attempts + 1, window_started_at = v_own.window_started_at, admitted_at = v_now
   WHERE account = p_account AND network = p_network;
  IF NOT v_known THEN
    UPDATE public.password_attempts
       SET attempts = v_all.attempts + 1, window_started_at = v_all.window_started_at, admitted_at = v_now
     WHERE account = p_account AND network = '';
  END IF;
  RETURN 0;
END
$$;
