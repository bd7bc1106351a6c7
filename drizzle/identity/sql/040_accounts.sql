-- Sign-ups used to be two statements: deletes half-made users, who cannot sign in and block their e-mail address.
DELETE FROM users u
 WHERE u.created_at < now() - interval '1 hour'
   AND NOT EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id)
   AND NOT EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id);
