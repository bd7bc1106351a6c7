import { type Scope, writes } from '../../../src/http/contract.ts'

/** A test control: an operation of the sandbox that makes the simulated world do something. */
export const testControl = (scope: Scope) =>
  ({
    ...writes,
    tag: 'Sandbox',
    only: 'sandbox',
    access: { api_key: { scopes: [scope] } },
    tables: [],
  }) as const
