import { expect, test } from 'vitest'
import { namesCompanyKind, personOfRfc } from '../../../src/kernel/rfc.ts'

// The RFCs that SAT publishes for tests of CFDI 4.0, and the generic ones.
test.each([
  ['EKU9003173C9', 'company'],
  ['URE180429TM6', 'company'],
  ['IIA040805DZ4', 'company'],
  ['CACX7605101P8', 'individual'],
  ['MISC491214B86', 'individual'],
  ['XIQB891116QE4', 'individual'],
  ['GODE561231GR8', 'individual'],
  ['XAXX010101000', 'individual'],
  ['XEXX010101000', 'individual'],
])('%s is the RFC of: %s', (rfc, person) => {
  expect(personOfRfc(rfc)).toBe(person)
})

test.each([
  ['EKU9003173C8', 'another check digit'],
  ['CACX7605101P', 'one character short'],
  ['cacx7605101p8', 'small letters'],
  ['CACX-760510-1P8', 'dashes'],
  ['CACX7613101P8', 'a thirteenth month'],
  ['CACX7602301P8', 'a thirtieth of February'],
  ['XAXX010101001', 'a generic one with another digit'],
  ['', 'nothing'],
])('%s is none: %s', (text) => {
  expect(personOfRfc(text)).toBeNull()
})

test.each([
  ['CERAMICA AZUL SA DE CV', true],
  ['Cerámica Azul, S.A. de C.V.', true],
  ['CERAMICA AZUL SAPI DE CV', true],
  ['CERAMICA AZUL S DE RL DE CV', true],
  ['CERAMICA AZUL S. de R.L.', true],
  ['CERAMICA AZUL SAS', true],
  ['CERAMICA AZUL', false],
  ['CASA', false],
  ['GRUPO AC', false],
])('the kind of company in %s: %s', (name, names) => {
  expect(namesCompanyKind(name)).toBe(names)
})
