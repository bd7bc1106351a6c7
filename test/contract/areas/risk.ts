import { insightKinds } from '../../../drizzle/schema/insights.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { aDayPasses, addItem, decide, newList, newRule } from '../../support/risk.ts'
import { adminSql } from '../../support/stack.ts'
import { once, withKey } from '../listing.ts'
import { paid } from '../resources.ts'
import type { AreaSamples, World } from '../samples.ts'

const guarded = ({ merchant, customer }: World) => ({ merchant, admin: customer })
const rule = (world: World) => newRule(guarded(world), { type: 'card_brand', is: 'visa' })
const list = (world: World) => newList(guarded(world), 'masked_card')

/** As a trigger opens it. */
async function review(world: World): Promise<string> {
  const id = uuidv7(Date.now())
  await adminSql('sandbox')(
    `insert into risk_reviews (tenant_id, id, payment_id, attempt_id, status, amount_minor, currency, score, created_at, updated_at)
     select a.tenant_id, $2, a.payment_id, a.id, 'open', a.amount_minor, a.currency, 0, now(), now()
     from payment_attempts a where a.payment_id = $1`,
    [await paid(world), id],
  )
  return id
}

/** As a job opens it; one that is dismissed for a list, since one alone is open at a time. */
async function insight({ merchant }: World, isOpen = true): Promise<string> {
  const id = uuidv7(Date.now())
  await adminSql('sandbox')(
    `insert into insights (tenant_id, id, status, kind, evidence, created_at, updated_at, ended_at, answered_by_user_id,
       answered_by_email)
     select $1, $2, $4::text, k.kind, $3::jsonb, now(), now(), case when $4 <> 'open' then now() end,
       case when $4 <> 'open' then 'usr' end, case when $4 <> 'open' then 'ana@example.com' end
     from unnest(string_to_array('${insightKinds.join()}', ',')) k (kind)
     where not exists (select from insights i where i.tenant_id = $1 and i.kind = k.kind and i.ended_at is null) limit 1`,
    [
      merchant.tenantId,
      id,
      JSON.stringify({
        begins_at: '2026-06-12T10:00:00.000Z',
        ends_at: '2026-06-13T10:00:00.000Z',
        count: 6,
        of_count: null,
        expected_count: 0,
        spread_count: 0,
        weeks_count: 8,
        decline_code: null,
      }),
      isOpen ? 'open' : 'dismissed',
    ],
  )
  return id
}

const author = `'usr', 'ana@example.com'`

export const samples: AreaSamples = {
  makers: {
    '/v1/intelligence/rules/': rule,
    '/v1/intelligence/lists/': list,
    '/v1/intelligence/list-items/': async (world) =>
      (await addItem(guarded(world), await list(world), { value: '424242******4242' })).body.id,
    '/v1/intelligence/backtests/': async (world) =>
      (await decide(guarded(world), `rules/${await rule(world)}/backtests`)).body.id,
    '/v1/intelligence/payments/': paid,
    '/v1/intelligence/reviews/': review,
    '/v1/intelligence/insights/': (world) => insight(world),
  },
  prepare: {
    // With a session it names the workspace.
    'risk_evaluations.preview': async ({ merchant }, ready) => {
      ready.body = { ...ready.body, tenant_id: merchant.tenantId }
    },
  },
  arrange: {
    'risk_rules.activate': async (world, _, id) => {
      await decide(guarded(world), `rules/${id}/shadow`)
      await aDayPasses(id)
    },
  },
  lists: {
    'insights.list': withKey('/v1/intelligence/insights', (world) => insight(world, false)),
    'risk_reviews.list': withKey('/v1/intelligence/reviews', review),
    'risk_rules.list': withKey('/v1/intelligence/rules', rule),
    'risk_lists.list': withKey('/v1/intelligence/lists', list),
    // With the link's id, so that their path is known.
    'risk_list_items.list': withKey(
      ({ link }) => `/v1/intelligence/lists/${link.id}/items`,
      async (world) => {
        const { merchant, link } = world
        await once(world, 'list', () =>
          adminSql('sandbox')(
            `insert into risk_lists (tenant_id, id, name, kind, effect, status, created_by_user_id, created_by_email,
               created_at, updated_at)
             values ($1, $2, 'All', 'email', 'none', 'active', ${author}, now(), now())`,
            [merchant.tenantId, link.id],
          ),
        )
        return adminSql('sandbox')(
          `insert into risk_list_items (tenant_id, id, list_id, value, status, created_by_user_id, created_by_email,
             created_at, updated_at)
           values ($1, $2, $3, gen_random_uuid()::text, 'active', ${author}, now(), now())`,
          [merchant.tenantId, uuidv7(Date.now()), link.id],
        )
      },
    ),
    'risk_backtests.list': withKey(
      ({ link }) => `/v1/intelligence/rules/${link.id}/backtests`,
      async (world) => {
        const { merchant, link } = world
        await once(world, 'rule', () =>
          adminSql('sandbox')(
            `insert into risk_rules (tenant_id, id, name, action, condition, reason, status, created_by_user_id,
               created_by_email, created_at, updated_at)
             values ($1, $2, 'Any', 'block', '{"type":"card_brand","is":"visa"}', 'All', 'draft', ${author}, now(), now())`,
            [merchant.tenantId, link.id],
          ),
        )
        return adminSql('sandbox')(
          `insert into risk_backtests (tenant_id, id, rule_id, condition, action, begins_on, ends_on, tries_count,
             matched_count, overruled_count, outcomes, examples, created_at)
           values ($1, $2, $3, '{}', 'block', '2026-06-01', '2026-06-13', 0, 0, 0, '[]', '[]', now())`,
          [merchant.tenantId, uuidv7(Date.now()), link.id],
        )
      },
    ),
  },
}
