import { newEmail } from '../../support/customer.ts'
import { addInvitation, addMember, confirmed, tokenOf } from '../../support/members.ts'
import { newMerchant } from '../../support/merchant.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/workspace/members/': ({ merchant }) => addMember(merchant),
    '/v1/workspace/invitations/': ({ merchant }) => addInvitation(merchant),
    // To another workspace: the customer is a member of their own.
    '/v1/workspace-invitations/': async (world) =>
      addInvitation(await once(world, 'inviting', () => newMerchant()), { email: world.customer.email }),
  },
  prepare: {
    'invitations.create': async ({ customer }, ready) => {
      await confirmed(customer)
      ready.body = { ...ready.body, email: newEmail() }
    },
  },
  arrange: {
    'invitations.accept': async ({ customer }, ready, id) => {
      await confirmed(customer)
      ready.body = { token: await tokenOf(id) }
    },
  },
  lists: {
    'members.list': withKey('/v1/workspace/members', ({ merchant }) => addMember(merchant)),
    'invitations.list': withKey('/v1/workspace/invitations', ({ merchant }) => addInvitation(merchant)),
  },
}
