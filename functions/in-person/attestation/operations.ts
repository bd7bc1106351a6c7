import { base64UrlOf, bytesOf, hexOf, sha256 } from '../../../src/attestation/bytes.ts'
import { type Call, changeOperation, operation } from '../../../src/http/operation.ts'
import { listOperation } from '../../../src/http/reads.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import { deviceByKid } from '../devices/api.ts'
import * as contracts from './contract.ts'
import { attest, createChallenge } from './contract-device.ts'
import {
  planAttest,
  planChallenge,
  planRemoveApp,
  planSetApp,
  planSettings,
  problemOfChallenge,
} from './plan.ts'
import { presentApp, presentAttestation, presentSettings } from './present.ts'
import { encryptKey, keysOf } from './secrets.ts'
import {
  appById,
  appByName,
  appsPage,
  attestationOf,
  issuedToCaller,
  lastOfKey,
  ownChallenge,
  settingsOfPhones,
} from './store.ts'

const setApp = operation(
  contracts.setApp,
  async (call) => {
    const { body, services } = call
    const { platform, app, decryption_key: decryption, verification_key: verification } = body
    const [before] = await call.read(appByName({ platform, app }))
    const id = before?.id ?? call.newId()
    if (decryption === null || verification === null)
      return call.publish(
        planSetApp(before, body, { id, keys: { decryptionKey: null, verificationKey: null } }, call),
      )
    const { isDecryptionKey, isVerificationKey } = await import('../../../src/attestation/play-integrity.ts')
    if (!isDecryptionKey(decryption)) return wrongKey(call, 'decryption_key', 'It is no AES key of 256 bits.')
    if (!(await isVerificationKey(verification)))
      return wrongKey(call, 'verification_key', 'It is no public key of P-256.')
    const keys = {
      decryptionKey: await encryptKey(services, id, 'decryption_key', decryption),
      verificationKey: await encryptKey(services, id, 'verification_key', verification),
    }
    return call.publish(planSetApp(before, body, { id, keys }, call))
  },
  ({ body: { platform, app, certificate_digests, decryption_key, verification_key } }) => ({
    platform,
    app,
    certificate_digests: certificate_digests ?? [],
    decryption_key: decryption_key ?? null,
    verification_key: verification_key ?? null,
  }),
)

const wrongKey = ({ fail }: Pick<Call<never, never, never, never>, 'fail'>, param: string, message: string) =>
  fail('parameter_invalid', { param, message })

const removeApp = changeOperation(
  contracts.removeApp,
  ({ id }) => appById({ id }),
  planRemoveApp,
  ({ params: { id } }) => ({ phone_app_id: id }),
)

const getSettings = operation(contracts.getSettings, async (call) => {
  const [settings] = await call.read(settingsOfPhones({}))
  return presentSettings(settings)
})

const setSettings = operation(
  contracts.setSettings,
  async (call) => {
    const [before] = await call.read(settingsOfPhones({}))
    return call.publish(planSettings(before, call.body.required, call))
  },
  ({ body: { required } }) => ({ required }),
)

const askChallenge = operation(createChallenge, async (call) => {
  const { kid } = call
  const challenge = base64UrlOf(crypto.getRandomValues(new Uint8Array(32)))
  const [[[phone], [before]], digest] = await Promise.all([
    call.readAll(deviceByKid({ kid }), issuedToCaller({ kid })),
    sha256Hex(challenge),
  ])
  if (!phone) return call.fail('device_credential_invalid')
  return call.publish(planChallenge(phone, before, { challenge, digest }, call))
})

/**
 * A retry is answered with what its challenge was used up by. Round trips: a load, with the keys of an app of Android beside
 * it, and the publish.
 */
const attestPhone = operation(attest, async (call) => {
  const { kid, body, services, settings, now } = call
  const isLive = settings.environment === 'live'
  if (isLive && body.provider === 'sandbox')
    return call.fail('attestation_provider_unavailable', { param: 'provider' })
  const named = { platform: body.provider === 'play_integrity' ? 'android' : 'ios', app: body.app }
  const digest = await sha256Hex(body.challenge)
  const keyId = bytesOf(body.key ?? '')
  const [[[phone], [challenge], [app], [last]], keys] = await Promise.all([
    call.readAll(
      deviceByKid({ kid }),
      ownChallenge({ kid, digest }),
      appByName(named),
      lastOfKey({ kid, keyDigest: keyId ? hexOf(keyId) : '' }),
    ),
    body.provider === 'play_integrity' ? keysOf(services, kid, body.app) : null,
  ])
  if (!phone || !challenge) return call.fail('attestation_challenge_invalid', { param: 'challenge' })
  if (challenge.status === 'used') {
    const [before] = await call.read(attestationOf({ challengeId: challenge.id }))
    if (before?.provider === body.provider && before.app === body.app) return presentAttestation(before)
  }
  const problem = problemOfChallenge(challenge, call)
  if (problem) return call.publish({ ...problem, param: 'challenge' })
  const { verify } = await import('../../../src/attestation/verify.ts')
  const verdict = await verify(body, {
    app: app && { ...app, keys },
    known: last && {
      isOfPairing: last.pairing === challenge.pairing,
      publicKey: last.publicKey!,
      signCount: last.signCount!,
      environment: last.environment!,
    },
    isLive,
    now,
  })
  const point = verdict.state === 'verified' ? bytesOf(verdict.publicKey ?? '') : null
  const keyDigest = point?.length ? hexOf(await sha256(point)) : null
  // Its keys are read beside it: where it was set between the two, neither version is the present one.
  const version = app && Math.min(app.version, keys?.version ?? app.version)
  const counts = app && body.provider !== 'sandbox' ? { id: app.id, version: version! } : undefined
  return call.publish(planAttest({ phone, challenge, app: counts, verdict, keyDigest }, body, call))
})

export const operations = [
  setApp,
  listOperation(contracts.listApps, appsPage, presentApp),
  removeApp,
  getSettings,
  setSettings,
  askChallenge,
  attestPhone,
]
