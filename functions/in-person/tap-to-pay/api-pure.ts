/** The session in which a phone takes cards. No I/O. */
export { exampleSession } from './contract.ts'
export type { SessionRow } from './store.ts'
