const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])
/** The platform takes any case; the IANA list has these names so. */
const written = /^[A-Z][a-z]+(?:[/_-][A-Z][a-z]+)+$/

/** Whether the IANA list has this name, such as `America/Mexico_City`; also where it is another's alias. */
export function isTimeZone(name: string): boolean {
  if (names.has(name)) return true
  if (!written.test(name)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return timeZone.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}
