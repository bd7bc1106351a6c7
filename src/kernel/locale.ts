export type Locale = 'es-MX' | 'en'

/** Longest Accept-Language that is read: what follows is ignored. */
const maxHeaderLength = 256

/**
 * The page's language: an explicit choice (`?lang=` or the form's `locale`) first, then the best language of
 * Accept-Language that we speak, then es-MX. Region and case are ignored; anything unknown counts as absent.
 */
export function pickLocale(
  chosen: string | null | undefined,
  acceptLanguage: string | null | undefined,
): Locale {
  return spoken(chosen ?? '') ?? accepted((acceptLanguage ?? '').slice(0, maxHeaderLength)) ?? 'es-MX'
}

/** `path` with the language kept, for links and redirects between the buyer's pages. */
export function withLocale(path: string, locale: Locale): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${locale === 'en' ? 'en' : 'es'}`
}

function spoken(tag: string): Locale | null {
  const language = tag.trim().toLowerCase().split('-', 1)[0]
  return language === 'en' ? 'en' : language === 'es' ? 'es-MX' : null
}

function accepted(header: string): Locale | null {
  let best: { locale: Locale; quality: number } | null = null
  for (const range of header.split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const locale = spoken(tag)
    const quality = weight(parameters)
    if (locale && quality > (best?.quality ?? 0)) best = { locale, quality }
  }
  return best?.locale ?? null
}

function weight(parameters: readonly string[]): number {
  const given = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)).find(Boolean)
  return given ? Number(given[1]) : 1
}
