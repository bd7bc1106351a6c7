import { html } from 'hono/html'
import { formatPlain } from '../../../../src/kernel/format.ts'
import type { Html } from '../../../page/hosted-payment/api.ts'

/** What a link's preview shows: the Open Graph protocol. */
export interface Preview {
  readonly type: 'website' | 'product'
  readonly title: string
  readonly description: string | null
  readonly site: string
  /** The address, without a language. */
  readonly url: string
  readonly image: { readonly url: string; readonly width: number; readonly height: number } | null
  readonly price: { readonly amountMinor: bigint; readonly currency: string } | null
}

const lengthMax = 200

export function previewTags({ type, title, description, site, url, image, price }: Preview): Html {
  const text = (description ?? '').replaceAll(/\s+/g, ' ').trim()
  const short = [...text].length > lengthMax ? `${[...text].slice(0, lengthMax - 1).join('')}…` : text
  return html`<link rel="canonical" href="${url}">
<meta property="og:type" content="${type}">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="${site}">
<meta property="og:url" content="${url}">
${
  short
    ? html`<meta name="description" content="${short}">
<meta property="og:description" content="${short}">
`
    : ''
}${
  image
    ? html`<meta property="og:image" content="${image.url}">
<meta property="og:image:width" content="${image.width}">
<meta property="og:image:height" content="${image.height}">
`
    : ''
}${
  price
    ? html`<meta property="product:price:amount" content="${formatPlain(price.amountMinor, price.currency)}">
<meta property="product:price:currency" content="${price.currency.toUpperCase()}">
`
    : ''
}`
}
