import { expect, test } from 'vitest'
import { update } from '../../../functions/account/workspace/contract.ts'

const company = {
  rfc: 'EKU9003173C9',
  legal_name: 'ESCUELA KEMPER URGATE',
  tax_regime: '601',
  postal_code: '42501',
}
const person = { ...company, rfc: 'CACX7605101P8', tax_regime: '612' }

const fits = (body: object) => update.body!.safeParse(body).success

test.each<[what: string, body: object]>([
  ['a company', { fiscal_profile: company }],
  ['a person', { fiscal_profile: person }],
  ['a régimen for both', { fiscal_profile: { ...company, tax_regime: '626' } }],
  ['emptied fields', { fiscal_profile: null, support_email: null, support_phone: null, website_url: null }],
  ['ways to reach it', { support_email: 'hola@cafe.mx', support_phone: '+525512345678' }],
  ['a site with encoded characters', { website_url: 'https://xn--and-6ma2c.mx/%C3%B1?a=b&c#d' }],
  ['a site', { website_url: 'https://cafe.mx/contacto' }],
  ['an at sign in the path of a site', { website_url: 'https://cafe.mx/@ana?a=b' }],
])('fits: %s', (_what, body) => {
  expect(fits(body)).toBe(true)
})

test.each<[what: string, body: object]>([
  ['nothing', {}],
  ['an empty name', { name: ' ' }],
  ['no name', { name: null }],
  ['another check digit', { fiscal_profile: { ...company, rfc: 'EKU9003173C8' } }],
  ['the generic RFC', { fiscal_profile: { ...person, rfc: 'XAXX010101000' } }],
  ['the régimen of a company for a person', { fiscal_profile: { ...person, tax_regime: '601' } }],
  ['the régimen of a person for a company', { fiscal_profile: { ...company, tax_regime: '612' } }],
  ['an unknown régimen', { fiscal_profile: { ...company, tax_regime: '699' } }],
  ['a régimen that every object has', { fiscal_profile: { ...company, tax_regime: 'constructor' } }],
  ['the régimen of a prototype', { fiscal_profile: { ...company, tax_regime: '__proto__' } }],
  ['a postal code of four digits', { fiscal_profile: { ...company, postal_code: '4250' } }],
  ['a profile without its name', { fiscal_profile: { ...company, legal_name: undefined } }],
  ['a number without its country', { support_phone: '5512345678' }],
  ['http', { website_url: 'http://cafe.mx' }],
  ['a domain that is not in Punycode', { website_url: 'https://ñandú.mx' }],
  ['a letter that is not percent-encoded', { website_url: 'https://cafe.mx/ñ' }],
  ['a bar in a site', { website_url: 'https://cafe.mx/a|b' }],
  ['half an encoded character', { website_url: 'https://cafe.mx/%f' }],
  ['two fragments', { website_url: 'https://cafe.mx/#a#b' }],
  ['a script', { website_url: 'javascript:alert(1)' }],
  ['a name and a password in a site', { website_url: 'https://ana:secret@cafe.mx' }],
  ['a name without slashes before it', { website_url: 'https:ana@cafe.mx' }],
  ['a name behind a third slash', { website_url: 'https:///ana@cafe.mx' }],
  ['a name behind backslashes', { website_url: 'https:/\\ana@cafe.mx' }],
  ['a scheme in capital letters, which no row has', { website_url: 'HTTPS://cafe.mx' }],
  ['a NUL in a site', { website_url: 'https://cafe.mx/\u0000' }],
  ['half a character in a site', { website_url: 'https://cafe.mx/\ud800' }],
  ['a mark of direction in a site', { website_url: 'https://cafe.mx/\u202e' }],
  ['a card number in a site', { website_url: 'https://cafe.mx/4242424242424242' }],
  ['a card number in escapes', { website_url: 'https://cafe.mx/?c=4242%204242+4242%204242' }],
  ['a card number in the address', { support_email: '4242424242424242@cafe.mx' }],
  ['its status', { status: 'closed' }],
])('does not fit: %s', (_what, body) => {
  expect(fits(body)).toBe(false)
})
