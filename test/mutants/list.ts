import { customers, rules } from './areas.ts'
import { attestation } from './attestation.ts'
import { events, rows } from './books.ts'
import { devices } from './devices.ts'
import { held } from './held.ts'
import { inPerson } from './in-person.ts'
import { intelligence, risk } from './insight.ts'
import { links } from './links.ts'
import { money } from './money.ts'
import type { Mutant } from './mutant.ts'
import { offline } from './offline.ts'
import { readers } from './readers.ts'
import { registers } from './registers.ts'
import { reporting } from './reporting.ts'
import { kernel, repaired, requests } from './requests.ts'
import { shop } from './shop.ts'
import { tables } from './tables.ts'

export const mutants: readonly Mutant[] = [
  ...repaired,
  ...kernel,
  ...requests,
  ...money,
  ...rows,
  ...events,
  ...customers,
  ...rules,
  ...shop,
  ...links,
  ...held,
  ...tables,
  ...inPerson,
  ...devices,
  ...attestation,
  ...offline,
  ...readers,
  ...registers,
  ...intelligence,
  ...reporting,
  ...risk,
]
