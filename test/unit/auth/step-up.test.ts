import { expect, test } from 'vitest'
import { stepUpActions } from '../../../drizzle/schema/step-up.ts'
import { createChallenge } from '../../../functions/account/auth/contract.ts'
import { operations } from '../../../local/operations.ts'

const proven = operations.flatMap(({ contract: { id, access } }) =>
  access.session?.stepUp ? [{ id, ...access.session.stepUp }] : [],
)

test.each(proven)('$id: a proof of $action with the scope $scope can be made', ({ action, scope }) => {
  const asked = {
    action,
    scope,
    tenant_id: 'tn_demo',
    tenant_environment: 'sandbox',
    idempotency_key: 'a key of its own',
    params_hash: 'a'.repeat(64),
  }
  expect(createChallenge.body!.safeParse(asked).error?.issues ?? []).toEqual([])
})

test('no proof is of any other mutation', () => {
  expect([...stepUpActions].sort()).toEqual([...new Set(proven.map(({ action }) => action))].sort())
})
