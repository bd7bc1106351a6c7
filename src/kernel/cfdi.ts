const businesses = ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626']
const persons = ['605', '606', '607', '608', '611', '612', '614', '615', '625']
const all = [...new Set([...businesses, ...persons, '610', '616'])]

const uses: Readonly<Record<string, readonly string[]>> = {
  G01: businesses,
  G02: [...businesses, '616'],
  G03: businesses,
  I01: businesses,
  I02: businesses,
  I03: businesses,
  I04: businesses,
  I05: businesses,
  I06: businesses,
  I07: businesses,
  I08: businesses,
  D01: persons,
  D02: persons,
  D03: persons,
  D04: persons,
  D05: persons,
  D06: persons,
  D07: persons,
  D08: persons,
  D09: persons,
  D10: persons,
  S01: all,
  CP01: all,
  CN01: ['605'],
}

/** SAT's catalog c_UsoCFDI (CFDI 4.0): the receiver's régimenes with which each use goes. */
export const cfdiUses: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(uses))
