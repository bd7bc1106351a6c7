import { expect, test } from 'vitest'
import { ownerSql, workerSql } from '../../support/stack.ts'

const asOwner = ownerSql('identity')
const asWorker = workerSql('identity')

test("the Workers' role may touch rows of these tables and nothing else", async () => {
  const rights = await asOwner<{ table: string; rights: string }>(
    `select table_name as table, string_agg(privilege_type, ' ' order by privilege_type) as rights
       from information_schema.role_table_grants where grantee = 'spindle_identity' group by 1 order by 1`,
  )
  const all = 'DELETE INSERT SELECT UPDATE'
  expect(rights).toEqual([
    { table: 'accounts', rights: all },
    { table: 'mail_suppressions', rights: all },
    { table: 'mails', rights: all },
    { table: 'passkeys', rights: all },
    { table: 'password_attempts', rights: all },
    { table: 'second_factor_failures', rights: all },
    { table: 'sessions', rights: all },
    { table: 'sign_in_networks', rights: all },
    { table: 'totp_uses', rights: all },
    { table: 'two_factors', rights: all },
    { table: 'users', rights: all },
    { table: 'verifications', rights: all },
  ])
})

test('it owns nothing, belongs to no other role and has no special right', async () => {
  const [role] = await asOwner(
    `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
            (select count(*)::int from pg_class where relowner = r.oid) as owned,
            (select count(*)::int from pg_auth_members where member = r.oid) as memberships
       from pg_roles r where rolname = 'spindle_identity'`,
  )
  expect(role).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolbypassrls: false,
    rolreplication: false,
    owned: 0,
    memberships: 0,
  })
})

test.each([
  'create table x (a int)',
  'create temporary table x (a int)',
  'create schema x',
  'truncate users',
  'select * from drizzle.__drizzle_migrations',
  'alter table users disable trigger all',
])('refuses: %s', async (statement) => {
  await expect(asWorker(statement)).rejects.toMatchObject({ code: '42501' })
})

const refusedRows: [what: string, statement: string, constraint: string][] = [
  [
    'a session token as it is',
    `insert into sessions (id, user_id, token_digest, expires_at) values ('s', 'u', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF', now())`,
    'sessions_token_is_a_digest',
  ],
  [
    'a password as it is',
    `insert into accounts (id, user_id, account_id, provider_id, password) values ('a', 'u', 'u', 'credential', 'correct horse')`,
    'accounts_password_is_hashed',
  ],
  [
    'a way to sign in that is not offered',
    `insert into accounts (id, user_id, account_id, provider_id) values ('a', 'u', 'u', 'github')`,
    'accounts_only_passwords',
  ],
  [
    'an authenticator secret as it is',
    `insert into two_factors (id, user_id, secret, backup_codes) values ('t', 'u', 'HB2GGNCRM52WU6SBLFGF', '$ba$1$' || repeat('ab', 60))`,
    'two_factors_secret_is_encrypted',
  ],
  [
    'backup codes as they are',
    `insert into two_factors (id, user_id, secret, backup_codes) values ('t', 'u', '$ba$1$' || repeat('ab', 80), '["aaaaa-bbbbb"]')`,
    'two_factors_codes_are_encrypted',
  ],
  [
    'a sixth failure',
    `insert into second_factor_failures values ('u', 6, now(), now())`,
    'second_factor_failures_counted',
  ],
  [
    'five failures without a lock',
    `insert into second_factor_failures values ('u', 5, now(), null)`,
    'second_factor_failures_lock_at_five',
  ],
  [
    'an address in capitals',
    `insert into users (id, name, email) values ('u', 'Ana', 'Ana@example.com')`,
    'users_email_lower_case',
  ],
]
test.each(refusedRows)('the tables refuse %s', async (_what, statement, constraint) => {
  await expect(asWorker(statement)).rejects.toMatchObject({ code: '23514', constraint })
})
