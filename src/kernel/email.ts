const localPart = /^[a-z0-9_+-]+(?:['.&a-z0-9_+-]*[a-z0-9_+-])?$/
const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/

/**
 * An e-mail address as it is compared: small letters, the domain in Punycode. What follows a plus sign is kept: such
 * addresses may be different people's. Null for anything else.
 */
export function normalizeEmail(text: string): string | null {
  const at = text.trim().lastIndexOf('@')
  const local = text.trim().slice(0, at).toLowerCase()
  const domain = asciiDomain(text.trim().slice(at + 1))
  const email = `${local}@${domain}`
  const fits = at > 0 && local.length <= 64 && email.length <= 254 && !local.includes('..')
  return fits && localPart.test(local) && domainForm.test(domain) ? email : null
}

/**
 * The mailbox of a normalized address: what follows a plus sign is cut off, and at Gmail dots are; a plus sign that begins
 * it stays, so that such people share no mailbox. Only for counting: elsewhere two such addresses may be different
 * people's. The databases' `mailbox_of` say the same.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const name = email
    .slice(0, at)
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, '')
  const domain = email.slice(at + 1).toLowerCase()
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** The platform's URL parser has the rules of IDN; without a letter that needs them the domain only gets smaller ones. */
function asciiDomain(domain: string): string {
  if (/[\s/?#@\\:%]/.test(domain)) return ''
  return URL.parse(`http://${domain}`)?.hostname ?? ''
}

const label = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`
const within = new RegExp(String.raw`[a-z0-9_+-][a-z0-9_+.'&-]*@${label}(?:\.${label})+`, 'giu')

/** The addresses that stand in a text, whatever is around them, each as `normalizeEmail` makes it. */
export const emailsIn = (text: string): string[] =>
  (text.match(within) ?? []).flatMap((found) => normalizeEmail(found) ?? [])
