/**
 * The bytes of base64 or base64url, padded or not. In a loop: a call for each character takes fifteen times as long, and a
 * list of millions of characters an isolate's memory.
 * @throws DOMException where it is neither
 */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}
