/**
 * Headers of every buyer page. The link's id in the address is a capability, so no page reveals it to another origin;
 * `same-origin` rather than `no-referrer`, which would turn the Origin of our own form posts into `null`. `connect-src`
 * lets the "confirming" page poll itself.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}
