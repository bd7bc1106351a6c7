/** What origins and pages may use of the payment policy. Rules and shapes: api-pure.ts. */
export { platformLevel, standingLevel } from './platform.ts'
