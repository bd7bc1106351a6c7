import { newPaired } from '../../support/devices.ts'
import { challengeOf, newPhoneApp, sandboxBody } from '../../support/phones.ts'
import { withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: { '/v1/tap-to-pay/apps/': async ({ merchant }) => (await newPhoneApp(merchant)).id },
  prepare: {
    'device.create_attestation_challenge': async ({ merchant }, ready) => {
      ready.headers.authorization = `Bearer ${(await newPaired(merchant, 'phone')).credential}`
    },
    'device.attest': async ({ merchant }, ready) => {
      const phone = await newPaired(merchant, 'phone')
      ready.body = await sandboxBody((await challengeOf(phone)).challenge)
      ready.headers.authorization = `Bearer ${phone.credential}`
    },
  },
  lists: {
    'phone_apps.list': withKey('/v1/tap-to-pay/apps', ({ merchant }) => newPhoneApp(merchant)),
  },
}
