import { expect, test } from 'vitest'
import { sweepIdentity } from '../../../functions/account/auth/sweep.ts'
import { startHarness } from './harness.ts'
import { signIn, signUp, signUpWithTotp } from './people.ts'

const harness = startHarness()

test('what has expired is removed, what is valid stays', async () => {
  const { userId, email, token } = await signUpWithTotp(harness)
  await signIn(harness, email)
  const other = await signUp(harness)
  await harness.owner.query(
    `update sessions set expires_at = now() - interval '1 second' where user_id = $1`,
    [userId],
  )
  const expired = `update verifications set expires_at = now() - interval '1 second' where value = $1`
  await harness.owner.query(expired, [userId])
  await harness.owner.query(
    `insert into second_factor_failures values ($1, 2, now() - interval '2 days', null), ($2, 2, now(), null)`,
    [userId, other.userId],
  )
  await sweepIdentity(harness.access.sql)
  const left = `select (select count(*)::int from sessions where user_id = $1) as sessions,
                       (select count(*)::int from verifications where value = $1) as verifications,
                       (select count(*)::int from second_factor_failures where user_id = $1) as failures`
  expect((await harness.owner.query(left, [userId])).rows).toEqual([
    { sessions: 0, verifications: 0, failures: 0 },
  ])
  expect((await harness.owner.query(left, [other.userId])).rows).toMatchObject([{ sessions: 1, failures: 1 }])
  expect((await harness.get('/get-session', { bearer: token })).status).toBe(401)
})
