/** Stripe's additions to our own policy: https://docs.stripe.com/security/guide#content-security-policy */
export const withStripe = (policy: string): string =>
  policy
    .replace("script-src 'self'", "script-src 'self' https://js.stripe.com https://*.js.stripe.com")
    .replace("connect-src 'self'", "connect-src 'self' https://api.stripe.com")
    .replace("img-src 'self' data:", "img-src 'self' data: https://*.stripe.com")
    .concat('; frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com')
