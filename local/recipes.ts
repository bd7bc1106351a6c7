import type { Contract } from '../src/http/contract.ts'
import type { DeclaredEvent } from '../src/http/declaration.ts'
import type { JsonObject } from '../src/kernel/json.ts'
import { eventTypes } from './declarations.ts'
import { bodyOf, creatorOf, operationOf, samples } from './samples.ts'
import { ask, type Recipe, reasons, type Sandbox, stories } from './simulate.ts'
import { catalogStories } from './simulate-catalogs.ts'
import { customerStories } from './simulate-customers.ts'
import { deviceStories } from './simulate-devices.ts'
import { linkStories } from './simulate-links.ts'
import { registerStories } from './simulate-registers.ts'
import { tableStories } from './simulate-tables.ts'
import { terminalStories } from './simulate-terminal.ts'

/** Calls an operation about a resource of its own, led by others into a state that allows it. */
const calling = (id: string) => async (sandbox: Sandbox) => {
  const { contract } = operationOf(id)
  const made = await owned(sandbox, contract)
  for (const before of samples[id]?.after ?? []) await asked(sandbox, operationOf(before).contract, made)
  await asked(sandbox, contract, made)
}

/** Makes the resource that an operation is about, after what that one belongs to; empty where it is about none. */
async function owned(sandbox: Sandbox, { path, params }: Contract): Promise<string> {
  const creator = params && creatorOf(path)
  return creator ? asked(sandbox, creator.contract, await owned(sandbox, creator.contract)) : ''
}

async function asked(sandbox: Sandbox, contract: Contract, id: string): Promise<string> {
  const { method, path, body } = contract
  const sent = body ? (bodyOf(contract) as JsonObject) : undefined
  return (await ask<{ id: string }>(sandbox, path.replace(/:(?:[a-z]+_)?id\b|:[a-z]+Id\b/, id), sent, method))
    .id
}

const declaredAs = <T>(part: (type: DeclaredEvent) => T | undefined) =>
  Object.entries(eventTypes).flatMap(([type, each]) => {
    const value = part(each)
    return value === undefined ? [] : [[type, value] as const]
  })

/** How to cause a real event of a type. Nothing is faked: the simulator acts as the processor. */
export const recipes: Readonly<Record<string, Recipe>> = {
  ...Object.fromEntries(
    declaredAs(({ trigger }) => trigger).map(([type, operation]) => [type, calling(operation)]),
  ),
  ...stories,
  ...customerStories,
  ...catalogStories,
  ...linkStories,
  ...tableStories,
  ...registerStories,
  ...deviceStories,
  ...terminalStories,
}

/** Events that an API key cannot cause on demand, and why. */
export const unmade: Readonly<Record<string, string>> = {
  ...reasons,
  ...Object.fromEntries(declaredAs((type) => type.unmade)),
}
