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
      previous_attributes: { name: 'Café Azul', fiscal_profile: null },
    },
  ])
})

test('the database refuses a fiscal profile of another form', async () => {
  const { tenantId } = await newMerchant()
  const written = adminSql('sandbox')('update tenants set fiscal_profile = $2 where tenant_id = $1', [
    tenantId,
    JSON.stringify({ rfc: 'EKU9003173C9', legal_name: 'KEMPER', tax_regime: '601', postal_code: '425' }),
  ])
  await expect(written).rejects.toThrow('tenants_fiscal_profile_form')
})
