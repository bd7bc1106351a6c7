import { expect, test } from 'vitest'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import { adminSql, stack } from '../../support/stack.ts'

test('a workspace is read and changed by its key; buyers see its new name', async () => {
  const merchant = await newMerchant({ name: 'Café Azul' })
  const link = await newLink(merchant)
  const asked = (method: 'GET' | 'PATCH', body?: object) =>
    call<Record<string, unknown>>(method, '/v1/workspace', {
      bearer: merchant.apiKey,
      ...(body && { body: body as never }),
    })
  const before = (await asked('GET')).body
  expect(before).toMatchObject({
    tenant_id: merchant.tenantId,
    name: 'Café Azul',
    fiscal_profile: null,
    version: 1,
  })

  const fiscal_profile = {
    rfc: 'EKU9003173C9',
    legal_name: 'KEMPER',
    tax_regime: '601',
    postal_code: '42501',
  }
  const changed = (await asked('PATCH', { name: 'Café Verde', fiscal_profile })).body
  expect(changed).toEqual({
    ...before,
    name: 'Café Verde',
    fiscal_profile,
    onboarding: {
      status: 'complete',
      requirements: [
        { code: 'support_contact', satisfied: false },
        { code: 'fiscal_profile', satisfied: true },
        { code: 'bank_account', satisfied: false },
      ],
    },
    version: 2,
    updated_at: expect.any(String),
  })
  expect((await asked('GET')).body).toEqual(changed)
  const page = await fetch(`${stack.sandbox.directUrl}/${link.public_id}`)
  expect(await page.text()).toContain('Café Verde')

  const events = await adminSql('sandbox')(
    'select type, resource_id, previous_attributes from events where tenant_id = $1 and resource_type = $2',
    [merchant.tenantId, 'workspace'],
  )
  expect(events).toEqual([
    {
      type: 'workspace.updated',
      resource_id: before.id,
      previous_attributes: { name: 'Café Azul', fiscal_profile: null, onboarding: before.onboarding },
    },
  ])
})

test.each([
  [
    'fiscal_profile',
    JSON.stringify({ rfc: 'EKU9003173C9', legal_name: 'KEMPER', tax_regime: '601', postal_code: '425' }),
  ],
  ['support_email', 'hola'],
  ['support_phone', '5512345678'],
  ['website_url', 'http://cafe.mx'],
])('the database refuses a %s of another form', async (column, value) => {
  const { tenantId } = await newMerchant()
  const written = adminSql('sandbox')(`update tenants set ${column} = $2 where tenant_id = $1`, [
    tenantId,
    value,
  ])
  await expect(written).rejects.toThrow(/tenants_\w+_form/)
})
