-- Sign-ups used to be two statements: what one left half done nobody can sign in to, and its address could not be used.
DELETE FROM users u
 WHERE u.created_at < now() - interval '1 hour'
   AND NOT EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id)
   AND NOT EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id);
