/** Capital letters and digits, as banks write names. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9&]+/g, ' ')
    .trim()

/** The kinds of company that follow a name: SAT's records have the name without them, banks with them. */
const companyKind =
  / (S ?A( ?P ?I)? DE C ?V|S DE R ?L( DE C ?V)?|S ?A ?S( DE C ?V)?|S ?A ?B DE C ?V|S ?C|A ?C|S ?A|SOFOM [EN] ?[NR])$/

/** Whether a bank's holder and SAT's legal name are of one business or person; either may add the kind of company. */
export function isSameHolder(holder: string, legalName: string): boolean {
  const [ours, theirs] = [holder, legalName].map((name) => plain(name).replace(companyKind, ''))
  // Banks cut long names off.
  return ours === theirs || (holder.length === 40 && theirs!.startsWith(plain(holder)))
}
