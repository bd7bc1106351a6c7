import { expect, test } from 'vitest'
import { migrate } from '../../local/migrate.ts'
import { adminSql, stack } from '../support/stack.ts'

test.each(['sandbox', 'live', 'identity'] as const)('%s: migrating again changes nothing', async (target) => {
  const url = stack.databases[target].ownerUrl
  expect(await migrate({ url, target })).toEqual({ migrations: 0, sql: 0 })
})

test.each(['sandbox', 'live'] as const)('%s: running the SQL again changes no right', async (target) => {
  const rights = () =>
    adminSql(target)(
      `select p.oid::regprocedure::text as name, pg_get_userbyid(p.proowner) as owner, a.grantee::regrole::text, a.privilege_type
       from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
       where p.pronamespace::regnamespace::text in ('public', 'door', 'simulator') order by 1, 3, 4`,
    )
  const before = await rights()
  await adminSql(target)('update spindle_sql set sha256 = $1', ['another'])
  const { sql } = await migrate({ url: stack.databases[target].ownerUrl, target })
  expect(sql).toBeGreaterThan(10)
  expect(await rights()).toEqual(before)
  expect(before.filter(({ grantee }) => grantee === '-')).toEqual([])
})

test('two migrations at once wait for each other', async () => {
  const url = stack.databases.sandbox.ownerUrl
  const both = await Promise.all([migrate({ url, target: 'sandbox' }), migrate({ url, target: 'sandbox' })])
  expect(both).toEqual([
    { migrations: 0, sql: 0 },
    { migrations: 0, sql: 0 },
  ])
})

test('the database of one environment refuses to become that of the other, and stays as it is', async () => {
  const files = () => adminSql('sandbox')('SELECT * FROM spindle_sql ORDER BY name')
  const before = await files()
  const url = stack.databases.sandbox.ownerUrl
  await expect(migrate({ url, target: 'live' })).rejects.toThrow(
    'this database belongs to the environment sandbox',
  )
  expect(await files()).toEqual(before)
})

test('the owner that migrates is no superuser and does not bypass row-level security', async () => {
  const [role] = await adminSql('sandbox')(
    "SELECT rolsuper, rolbypassrls, rolreplication FROM pg_roles WHERE rolname = 'spindle_owner'",
  )
  expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolreplication: false })
})
