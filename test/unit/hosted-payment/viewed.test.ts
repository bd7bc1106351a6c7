import { expect, test } from 'vitest'
import { isOpening } from '../../../functions/page/hosted-payment/pages/pay/viewed.ts'

const phone =
  'Mozilla/5.0 (Linux; Android 15; CUBOT NOTE 50) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36'

test.each([
  [true, 'a browser', 'GET', { 'user-agent': phone, 'sec-fetch-site': 'none' }],
  [true, 'a link in another site', 'GET', { 'user-agent': phone, 'sec-fetch-site': 'cross-site' }],
  [true, 'an old browser', 'GET', { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 12_0 like Mac OS X)' }],
  [true, 'a browser within an app', 'GET', { 'user-agent': `${phone} [FBAN/FBIOS;FBAV/1]` }],
  [false, 'a step within the page', 'GET', { 'user-agent': phone, 'sec-fetch-site': 'same-origin' }],
  [false, 'a prefetch', 'GET', { 'user-agent': phone, 'sec-purpose': 'prefetch;prerender' }],
  [false, 'an old prefetch', 'GET', { 'user-agent': phone, purpose: 'prefetch' }],
  [false, 'HEAD', 'HEAD', { 'user-agent': phone }],
  [false, 'no browser named', 'GET', {}],
  [false, 'a script', 'GET', { 'user-agent': 'curl/8.9' }],
  [false, 'the preview of WhatsApp', 'GET', { 'user-agent': 'WhatsApp/2.24.20.89 A' }],
  [
    false,
    'the preview of iMessage and Messenger',
    'GET',
    { 'user-agent': 'Mozilla/5.0 (Macintosh) Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0' },
  ],
  [false, 'the preview of Slack', 'GET', { 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
  [false, 'the preview of Skype', 'GET', { 'user-agent': 'Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview' }],
  [false, 'a crawler', 'GET', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
  [
    false,
    'a program that calls itself compatible',
    'GET',
    { 'user-agent': `${phone} (compatible; Google-InspectionTool/1.0)` },
  ],
] as [boolean, string, string, Record<string, string>][])('%s: %s', (isCounted, _what, method, headers) => {
  expect(isOpening(method, (name) => headers[name])).toBe(isCounted)
})
