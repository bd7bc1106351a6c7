import type { Settings } from '../../src/env.ts'
import { operation } from '../../src/http/operation.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { JobRun } from '../../src/http/system-call.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { isRefusal } from '../../src/kernel/plan.ts'
import { sha256HexOf } from '../../src/platform/crypto.ts'
import { filesIn } from '../../src/platform/files.ts'
import { joined } from './checked.ts'
import * as contracts from './contract.ts'
import { checkLogo } from './image.ts'
import { newLogo, planHide, planRemoved, planRemoving, planShow, planUpdate, planUpload } from './plan.ts'
import { presentBranding } from './present.ts'
import { branded, logoById, storedLogo } from './store.ts'

const placeOf = ({ now, newId, settings }: Clock & { readonly settings: Settings }) => ({
  now,
  newId,
  linkBaseUrl: settings.linkBaseUrl,
})

const getBranding = operation(contracts.get, async ({ read, settings }) => {
  const [tenant] = await read(branded())
  return presentBranding(tenant!, settings.linkBaseUrl)
})

const updateBranding = operation(contracts.update, async (call) => {
  const [tenant] = await call.read(branded())
  return call.publish(planUpdate(tenant!, call.body, placeOf(call)))
})

/** First a row that names the file, then the file, then the branding that shows it. */
const putLogo = operation(contracts.putLogo, async (call) => {
  const { body, readAll, publishStep, publish, newId, now, services } = call
  const [[tenant], [former]] = await readAll(branded(), storedLogo())
  const image = checkLogo(bytesOf(body.content))
  if (isRefusal(image)) return publish(image)
  const { bytes, content_type, width, height } = image
  const id = newId()
  const address = await addressOf(id, bytes)
  const logo = newLogo(id, address, now)
  await publishStep(planUpload(logo))
  await filesIn(services.bucket).put(keyOf(address), { content: bytes, contentType: content_type })
  const uploaded = { logo, image: { content_type, width, height, bytes: bytes.length } }
  return publish(planShow(tenant!, former, uploaded, placeOf(call)))
})

const deleteLogo = operation(contracts.deleteLogo, async (call) => {
  const [[tenant], [former]] = await call.readAll(branded(), storedLogo())
  return call.publish(planHide(tenant!, former, placeOf(call)))
})

export const operations = [getBranding, updateBranding, putLogo, deleteLogo]

/** Scheduled: removes files of logos that nothing shows any more, or ever did. */
export const removeLogos = (run: JobRun): Promise<void> =>
  eachDue(run, 'logos', async ({ read, publish, services, now }, id) => {
    const [[logo]] = await read(contracts.removal, logoById({ id }))
    if (!logo || logo.removeAt === null) return
    const isClaimed = logo.status === 'removing'
    if (!isClaimed) await publish(contracts.removal, planRemoving(logo, now))
    await filesIn(services.bucket).delete(keyOf(logo.address))
    const claimed = isClaimed ? logo : { ...logo, status: 'removing' as const, version: logo.version + 1 }
    await publish(contracts.removal, planRemoved(claimed, now))
  })

const keyOf = (address: string) => `logos/${address}`

/** Of the content and of this upload: a file is never put again where one was removed. It tells nothing of the tenant. */
const addressOf = async (id: string, bytes: Uint8Array<ArrayBuffer>) =>
  (await sha256HexOf(joined([new TextEncoder().encode(id), bytes]))).slice(0, 32)

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
