import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { operations } from '../../local/operations.ts'
import { areasSelling, sold } from '../../src/app.ts'
import type { BearerName } from '../../src/http/access/kinds.ts'
import type { Contract } from '../../src/http/contract.ts'
import { Hono } from '../../src/http/hono.ts'
import { mintApiKey, mintDeviceKey } from '../../src/kernel/api-key.ts'
import { publicId, uuidv7, workspaceId } from '../../src/kernel/ids.ts'
import { mintPairingCode } from '../../src/kernel/pairing-code.ts'
import { inPod, podOf, podOfPath } from '../../src/kernel/pods.ts'
import { notificationOf } from '../../src/processors/stripe/notifications.ts'
import { attemptKey, customerParams } from '../../src/processors/stripe/params.ts'
import { refundKey } from '../../src/processors/stripe/refunds.ts'

const pod = 'q'
const uuid = uuidv7(1_781_352_005_123, pod)
const digest = '0123456789abcdef'.repeat(4)
const linkToken = `${uuid}.${digest}`
const address = inPod(digest.slice(0, 32), pod)
const elsewhere = uuidv7(1_781_352_005_123, 'z')

/** What stands in the paths of an area, by the name of the parameter. */
const parts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/*_': {
    publicId: publicId('splink', pod),
    reference: publicId('spcs', 'z'),
    token: `${elsewhere}.${digest}`,
    step: 'review',
  },
  '/m': { table: publicId('stable', pod) },
  '/r': { publicId: publicId('sreg', pod) },
  '/k': { catalog: publicId('scat', pod), item: elsewhere },
  '/downloads': { catalog: publicId('scat', pod), token: 'c2VhbGVk' },
  '/reminders': { token: linkToken },
  '/account/invitation': { token: linkToken },
  '/account/report': { token: linkToken },
  '/logos': { address },
  '/catalog-images': { address },
  '/simulator': { reference: uuid },
  '/v1/processors': { account: workspaceId(digest, pod) },
  '/v1/customer-hub/stripe-events': { account: uuid },
}

/** Areas and paths that lead to no pod by their path. */
const withoutPod: Readonly<Record<string, string>> = {
  '/': 'documents and assets',
  '/account': "people's accounts are in the database of identities",
  '/simulator/device': 'a page that names nothing: what it asks leads by its credential',
  '/v1/auth': "people's accounts are in the database of identities",
  '/v1/processors/stripe/notifications': 'the metadata of what it tells of',
  '/v1/mails/reports': 'the tag of the mail',
}

/** Every route that is no operation of the interface; refusals of what is left over are none. */
const routes = (
  await Promise.all(
    areasSelling(sold).map(async ({ at: [at], load }) => {
      const loaded = await load()
      const all = loaded instanceof Hono ? loaded.routes : []
      const paths = all.flatMap(({ method, path }) => (method === 'ALL' && path.endsWith('/*') ? [] : [path]))
      return [...new Set(paths)].map((path) => ({ at: at!, path }))
    }),
  )
).flat()

const leading = routes.filter(({ at, path }) => !(at in withoutPod) && !(path in withoutPod))

/** The path with its parameters filled in, each as its pattern asks. */
const filled = (at: string, path: string): string =>
  path
    .split('/')
    .map((part) => {
      const [, name, pattern = '.+'] = /^:(\w+)(?:\{(.*)\})?$/.exec(part) ?? []
      if (name === undefined) return part
      const given = parts[at]?.[name]
      if (given === undefined || !new RegExp(`^(?:${pattern})$`).test(given))
        throw new Error(`${path}: nothing here fits :${name}`)
      return given
    })
    .join('/')

describe('every route that takes no key of a merchant', () => {
  test('is declared by an area', () => {
    expect(leading.length).toBeGreaterThan(25)
    const known = new Set(routes.flatMap(({ at, path }) => [at, path]))
    expect(Object.keys({ ...parts, ...withoutPod }).filter((name) => !known.has(name))).toEqual([])
  })

  test.each(leading)('$path leads to its pod', ({ at, path }) => {
    expect(podOfPath(filled(at, path))).toBe(pod)
  })
})

const namesTenant = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && 'tenant_id' in ((schema as z.ZodObject).shape ?? {})

/** Operations of a customer who names no workspace. */
const ofNoWorkspace = ['workspaces.create', 'workspaces.list']

/** How a request of each kind of credential leads to its pod. */
const ways: Readonly<Record<BearerName, (contract: Contract) => unknown>> = {
  api_key: () => podOf(mintApiKey({ environment: 'live', pod }).token),
  device: () => podOf(mintDeviceKey({ environment: 'live', pod }).token),
  pairing: () => podOf(mintPairingCode(pod).code),
  session: ({ query, body }) => (namesTenant(query) || namesTenant(body)) && podOf(workspaceId(digest, pod)),
  challenge: ({ path }) => podOfPath(path.replace(':id', uuid)),
  invitee: ({ path }) => podOfPath(path.replace(':id', uuid)),
  customer: ({ id }) => ofNoWorkspace.includes(id) && pod,
}

describe('every operation', () => {
  test.each(operations.map(({ contract }) => contract))(
    '$id leads each of its callers to a pod',
    (contract) => {
      const kinds = Object.keys(contract.access) as BearerName[]
      expect(kinds.map((kind) => [kind, ways[kind](contract)])).toEqual(kinds.map((kind) => [kind, pod]))
    },
  )
})

test('the customer of a transfer at the processor names the pod of its attempt', () => {
  const buyer = { name: 'Ana', email: 'ana@example.com' }
  const { metadata } = customerParams({ reference: uuid, buyer } as Parameters<typeof customerParams>[0])
  expect(podOf(metadata[attemptKey]!)).toBe(pod)
})

describe("a processor's notification", () => {
  const of = (type: string, metadata: Record<string, string>) =>
    notificationOf({
      id: 'evt_1',
      type,
      data: { object: { id: 'obj_1', metadata } },
    } as unknown as Stripe.Event)

  test.each([
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
    'payment_intent.amount_capturable_updated',
    'payment_intent.partially_funded',
    'payment_intent.requires_action',
  ])('%s refers to an attempt, which names its pod', (type) => {
    expect(podOf(of(type, { [attemptKey]: uuid })!.reference)).toBe(pod)
  })

  test.each(['refund.created', 'refund.updated', 'refund.failed'])(
    '%s of ours refers to a refund, which names its pod',
    (type) => {
      expect(podOf(of(type, { [attemptKey]: elsewhere, [refundKey]: uuid })!.reference)).toBe(pod)
    },
  )
})
