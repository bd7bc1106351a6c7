import type { Settings } from '../../../src/env/settings.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { identitySql } from '../../../src/platform/postgres.ts'

const addresses = `
  select id, email, locale from users where email_verified and id in (select jsonb_array_elements_text($1::jsonb))`

interface Confirmed {
  readonly email: string
  readonly locale: Locale
}

/** Where the accounts of these users whose address is confirmed are mailed, by their ids: one trip to the database of accounts. */
export async function confirmedAddresses(
  settings: Settings,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Confirmed>> {
  const found = await identitySql(settings)(addresses, [JSON.stringify(userIds)])
  return new Map(
    found.map(({ id, email, locale }) => [
      id as string,
      { email: email as string, locale: locale as Locale },
    ]),
  )
}
