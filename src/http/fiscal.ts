import * as z from 'zod'
import { personOfRfc, taxRegimes } from '../kernel/rfc.ts'
import { freeText } from './schemas.ts'

/** Whom an invoice names, as SAT knows them. */
export const fiscalFields = {
  rfc: z.string().describe('The RFC: 12 characters of a company, 13 of a person, in capital letters.'),
  legal_name: freeText(254).trim().min(1).describe('The name that SAT has, without the kind of company.'),
  tax_regime: z.string().describe('The régimen fiscal: a code of SAT’s catalog c_RegimenFiscal.'),
  postal_code: z
    .string()
    .regex(/^\d{5}$/, 'must be five digits')
    .describe('Of the domicilio fiscal.'),
}

/** The same as it is sent, with what makes an RFC acceptable. */
export const fiscalInput = (takes: (rfc: string) => boolean, message: string) => ({
  ...fiscalFields,
  rfc: fiscalFields.rfc.refine(takes, message),
  tax_regime: fiscalFields.tax_regime.refine(
    (code) => taxRegimes.has(code),
    'must be a code of c_RegimenFiscal',
  ),
})

/** Whether SAT has this régimen for the holder of such an RFC; true where it has no such régimen at all. */
export const regimeFits = ({ rfc, tax_regime }: { rfc: string; tax_regime: string }) =>
  taxRegimes.get(tax_regime)?.includes(personOfRfc(rfc)!) ?? true

export const regimeMisfit = {
  path: ['tax_regime'],
  error: 'must be a régimen for such an RFC: of a company, or of a person',
}
