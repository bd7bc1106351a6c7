import { parseDeviceKey } from '../../kernel/api-key.ts'
import { readPairingCode } from '../../kernel/pairing-code.ts'
import { hmacHex, sha256Hex } from '../../platform/crypto.ts'
import { Problem } from '../problems.ts'
import { environmentMismatch } from '../publishing.ts'
import type { Services } from '../services.ts'
import type { Admitted } from './kinds.ts'

const session = () => Promise.reject(new Problem('credential_not_accepted'))

/** What was signed by each version of the pepper. */
async function digestsOf(text: string, { settings }: Services): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const [version, pepper] of Object.entries(settings.peppers.byVersion))
    digests[version] = await hmacHex(pepper, text)
  return digests
}

/** A device's credential. Its digests, under each version of the pepper, are its own proof. */
export async function admitDevice(bearer: string, services: Services): Promise<Admitted> {
  const parsed = parseDeviceKey(bearer)
  if (!parsed.ok) throw new Problem('device_credential_invalid')
  if (parsed.environment !== services.settings.environment) throw environmentMismatch(services)
  const digests = await digestsOf(bearer, services)
  const { kid } = parsed
  const credential = Promise.resolve({ kind: 'device', kid, digests })
  return {
    digest: digests[services.settings.peppers.current]!,
    kid,
    open: () => ({ credential: () => credential, session }),
  }
}

/** The code that a person entered on a device. A wrong one is counted against the code that it begins like. */
export async function admitPairing(bearer: string, services: Services): Promise<Admitted> {
  const read = readPairingCode(bearer)
  if (!read) throw new Problem('pairing_code_invalid')
  const { prefix } = read
  const digests = await digestsOf(read.code, services)
  const tried = async () => {
    await services.db.call('door.try_pairing(text,text)', [prefix, JSON.stringify(digests)])
    return { kind: 'pairing', prefix, digests }
  }
  return {
    digest: await sha256Hex(bearer),
    isShort: true,
    kid: prefix,
    open() {
      const credential = tried()
      credential.catch(() => {})
      return { credential: () => credential, session }
    },
  }
}
