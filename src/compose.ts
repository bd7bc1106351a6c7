import { type AccessOf, identityAccess } from '../functions/account/auth/access.ts'
import { sessionFromBearer } from '../functions/account/auth/session.ts'
import { type Bindings, readSettings, type Settings } from './env/settings.ts'
import type { Services } from './http/services.ts'
import { keptFor } from './kernel/kept.ts'
import { database, identitySql } from './platform/postgres.ts'
import { memory } from './platform/redis.ts'
import { mailWaker, waker } from './platform/wake.ts'

const built = new WeakMap<Bindings, Services>()

export type InBackground = (work: Promise<unknown>) => void

/** What this isolate keeps, made on its first request. `inBackground` keeps an invocation alive beyond its reply. */
export function servicesOf(env: Bindings, inBackground: InBackground): Services {
  let services = built.get(env)
  if (!services) {
    const settings = readSettings(env)
    const identity = identityOf(settings)
    services = {
      settings,
      db: database(settings),
      memory: memory(settings),
      bucket: env.FILES,
      images: env.IMAGES,
      wake: waker(env.WEBHOOKS, inBackground),
      sendMails: mailWaker(env.WEBHOOKS, inBackground),
      inBackground,
      sessionOf: (bearer) => sessionFromBearer(identity.sql, settings.authSecrets, bearer),
    }
    built.set(env, services)
  }
  return services
}

/** The way to the identity database that both environments share. */
export const identityOf = keptFor((settings: Settings) =>
  identityAccess(settings, identitySql(settings)),
) as AccessOf
