import * as z from 'zod'
import { freeText } from './schemas.ts'

/** A postal address as it is shown. */
export const addressFields = {
  line1: freeText(200).min(1).describe('Street and number.'),
  line2: freeText(200).min(1).nullable().describe('Interior: apartment, floor, building.'),
  neighborhood: freeText(120)
    .min(1)
    .nullable()
    .describe('The neighborhood: in Mexico the colonia, which carriers need.'),
  city: freeText(120).min(1).describe('City or municipality.'),
  state: freeText(120).min(1).nullable().describe('The state, as post is addressed to it.'),
  postal_code: freeText(20).min(1).nullable().describe('Postal code.'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters, as ISO 3166 has them')
    .describe('The country: two capital letters, as ISO 3166 has them.'),
}

/** The same as it is sent: in Mexico, where nothing else is said. */
export const addressInput = {
  ...addressFields,
  line2: addressFields.line2.default(null),
  neighborhood: addressFields.neighborhood.default(null),
  state: addressFields.state.default(null),
  postal_code: addressFields.postal_code.default(null),
  country: addressFields.country.default('MX'),
}
