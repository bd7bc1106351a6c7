/** The states of Mexico, as post is addressed to them. */
export const mexicanStates: readonly string[] = [
  'Aguascalientes',
  'Baja California',
  'Baja California Sur',
  'Campeche',
  'Chiapas',
  'Chihuahua',
  'Ciudad de México',
  'Coahuila',
  'Colima',
  'Durango',
  'Estado de México',
  'Guanajuato',
  'Guerrero',
  'Hidalgo',
  'Jalisco',
  'Michoacán',
  'Morelos',
  'Nayarit',
  'Nuevo León',
  'Oaxaca',
  'Puebla',
  'Querétaro',
  'Quintana Roo',
  'San Luis Potosí',
  'Sinaloa',
  'Sonora',
  'Tabasco',
  'Tamaulipas',
  'Tlaxcala',
  'Veracruz',
  'Yucatán',
  'Zacatecas',
]

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()

const others: Readonly<Record<string, string>> = {
  cdmx: 'Ciudad de México',
  df: 'Ciudad de México',
  'd f': 'Ciudad de México',
  'distrito federal': 'Ciudad de México',
  'mexico city': 'Ciudad de México',
  mexico: 'Estado de México',
  edomex: 'Estado de México',
  'coahuila de zaragoza': 'Coahuila',
  'michoacan de ocampo': 'Michoacán',
  'veracruz de ignacio de la llave': 'Veracruz',
}
const byName = new Map(mexicanStates.map((name) => [plain(name), name]))

/** The state that a text names, however it is written; null for none. */
export const mexicanStateOf = (text: string): string | null =>
  byName.get(plain(text)) ?? others[plain(text)] ?? null
