-- Schema simulator: its role owns the functions and writes the tables; spindle_caller executes the functions that run with
-- that role's rights.
grant select, insert, update on all tables in schema simulator to spindle_simulator;
grant usage on all sequences in schema simulator to spindle_simulator;
do $$
declare
  f record;
begin
  for f in select p.oid::regprocedure as signature, p.prosecdef and p.prorettype <> 'trigger'::regtype as is_callable
           from pg_proc p where p.pronamespace = 'simulator'::regnamespace
  loop
    execute format('alter function %s owner to spindle_simulator', f.signature);
    execute format('revoke all on function %s from spindle_caller', f.signature);
    if f.is_callable then
      execute format('grant execute on function %s to spindle_caller', f.signature);
    end if;
  end loop;
end $$;
-- Called by the trigger of a tenant's clock.
revoke execute on function simulator.advance(uuid[], interval) from spindle_caller;
grant execute on function simulator.advance(uuid[], interval) to spindle_door;
grant execute on function simulator.spei_unconfirmed(int), simulator.unconfirmed_refunds(int),
  simulator.unconfirmed_disputes(int), simulator.unconfirmed_fraud_warnings(int) to spindle_auth;
grant usage on schema simulator to spindle_door, spindle_auth;
