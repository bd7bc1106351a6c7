import { logos } from '../../../drizzle/schema/logos.ts'
import type { Settings } from '../../../src/env/settings.ts'
import { operation } from '../../../src/http/operation.ts'
import { putFile, removesFiles } from '../../../src/http/stored-files.ts'
import { bytesOf } from '../../../src/kernel/base64.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { insert, isRefusal } from '../../../src/kernel/plan.ts'
import { describing } from '../../../src/kernel/stored-files.ts'
import * as contracts from './contract.ts'
import { checkLogo } from './image.ts'
import { planHide, planShow, planUpdate } from './plan.ts'
import { presentBranding } from './present.ts'
import { branded, logoById, storedLogo } from './store.ts'

const folder = 'logos'

const placeOf = ({ now, newId, settings }: Clock & { readonly settings: Settings }) => ({
  now,
  newId,
  linkBaseUrl: settings.linkBaseUrl,
  environment: settings.environment,
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
  const { body, readAll, publish } = call
  const [[tenant], [former]] = await readAll(branded(), storedLogo())
  const image = checkLogo(bytesOf(body.content))
  if (isRefusal(image)) return publish(image)
  const logo = await putFile(call, folder, image, (row) => insert(logos, row))
  return publish(planShow(tenant!, former, { logo, image: describing(image) }, placeOf(call)))
})

const deleteLogo = operation(contracts.deleteLogo, async (call) => {
  const [[tenant], [former]] = await call.readAll(branded(), storedLogo())
  return call.publish(planHide(tenant!, former, placeOf(call)))
})

export const operations = [getBranding, updateBranding, putLogo, deleteLogo]

/** Scheduled: removes files of logos that nothing shows any more, or ever did. */
export const removeLogos = removesFiles('logos', {
  folder,
  table: logos,
  removal: contracts.removal,
  byId: logoById,
})
