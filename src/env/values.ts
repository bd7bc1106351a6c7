import { Fault } from '../kernel/fault.ts'
import type { Bindings } from './settings.ts'

// How the Worker's variables are read. An error names the variable, never its value.

export function required(env: Partial<Bindings>, name: keyof Bindings): string {
  const value = env[name]
  if (typeof value !== 'string' || value === '') throw new Fault(`${name} is not set`)
  return value
}

export function wholeNumber(env: Bindings, name: keyof Bindings, what: string, least: number): number {
  const value = Number(required(env, name))
  if (!Number.isSafeInteger(value) || value < least) throw new Fault(`${name} is not ${what}`)
  return value
}

export const milliseconds = (env: Bindings, name: keyof Bindings) =>
  wholeNumber(env, name, 'a number of milliseconds', 1)
