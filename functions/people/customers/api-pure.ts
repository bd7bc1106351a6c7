/** What contracts and plans of other areas may import of customers. */
export {
  applyFields,
  type CustomerFields,
  type FieldChanges,
  fieldState,
  noFields,
} from './apply-fields.ts'
export { Customer, customerFields, exampleCustomer } from './contract.ts'
export { asCsv, csvFile, exampleCsv } from './contract-export.ts'
export { contactsMax, fieldsOf, missingContacts, planNewCustomer, refusalOf } from './plan.ts'
export { presentCustomer } from './present.ts'
export type { ContactRow, CustomerRow } from './store.ts'
