import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Declaration } from '../src/http/access/declaration.ts'
import { type Asked, type BearerAccess, type BearerName, bearers } from '../src/http/access/kinds.ts'
import { PROJECT } from './project.ts'

type Declared = Declaration<Asked>
type Declarations = Readonly<Record<string, Declared>>

const files = globSync('src/http/access/*.ts', { cwd: PROJECT }).map((path) => join(PROJECT, path))
const modules = (await Promise.all(files.map((file) => import(file)))) as { declarations?: Declarations }[]
const declared: Declarations = Object.assign({}, ...modules.map(({ declarations }) => declarations))

/** What each kind of bearer declares, in the order of the kinds. */
export const declaredKinds = (Object.keys(bearers) as BearerName[]).map(
  (name) => [name, declared[name]!] as const,
)

/** A part of what each kind declares that an operation takes. */
export const declaredOf = <T>(access: BearerAccess, part: (kind: Declared, condition: Asked) => T): T[] =>
  declaredKinds.flatMap(([name, kind]) => (access[name] ? [part(kind, access[name])] : []))

/** The step-up proof that a caller of some kind must send. */
export const stepUpOf = (access: BearerAccess) => declaredOf(access, (_, { stepUp }) => stepUp).find(Boolean)
