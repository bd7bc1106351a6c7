/**
 * A pod is one Postgres with its Redis, queue and bucket: it holds whole workspaces. Its name is one character of [a-z0-9]
 * and stands in whatever comes in, so that it is read without a trip: docs/decisions/pods.md.
 */

/** The one pod that there is. */
export const ownPod = 'a'

const isPod = (name: string) => /^[a-z0-9]$/.test(name)

function checked(pod: string): string {
  if (!isPod(pod)) throw new RangeError('no name of a pod')
  return pod
}

/** Characters of [a-z0-9], the first of which becomes the pod's. @throws RangeError for what names no pod */
export const inPod = (characters: string, pod: string): string => checked(pod) + characters.slice(1)

/**
 * The pod's ASCII as two digits, which stand behind the version of a UUID and first in a workspace's id.
 * @throws RangeError for what names no pod
 */
export const hexOf = (pod: string): string => checked(pod).charCodeAt(0).toString(16)

const text =
  /^(?:[sd]k_(?:sbx|live)_(?=[a-z0-9]{17}_)|(?!tn_)(?:[a-z]+_)?(?=[a-z0-9]{32}$)|(?=[\dA-Z]{4}-[\dA-Z]{4}$))([a-zA-Z0-9])/
const inHex =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-7([0-9a-f]{2})[0-9a-f]-[0-9a-f]{4}-[0-9a-f]{12}(?:\.|$)|tn_([0-9a-f]{2})[0-9a-f]{30}$)/

/**
 * The pod that an API key, a device's key or pairing code, a public id, a workspace's id, the address of a stored file, a version 7 UUID of ours or a
 * mail's link token names; null for any other text.
 */
export function podOf(id: string): string | null {
  const [, ofUuid, ofWorkspace] = inHex.exec(id) ?? []
  const hex = ofUuid ?? ofWorkspace
  const pod = hex ? String.fromCharCode(Number.parseInt(hex, 16)) : text.exec(id)?.[1]?.toLowerCase()
  return pod && isPod(pod) ? pod : null
}

/** The pod that a path leads to: the first of its parts that names one; null where none does. */
export const podOfPath = (path: string): string | null =>
  path.split('/').reduce<string | null>((found, part) => found ?? podOf(part), null)
