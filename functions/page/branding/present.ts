import { unbranded } from '../../../drizzle/schema/tenants.ts'
import type { BrandedRow } from './store.ts'

/** The address that all see: it names neither the workspace nor its environment's keys. */
export const logoUrl = (linkBaseUrl: string, address: string) => `https://${linkBaseUrl}/logos/${address}`

export function presentBranding({ id, branding, version, updatedAt }: BrandedRow, linkBaseUrl: string) {
  const { logo, ...own } = branding ?? unbranded
  return {
    id,
    object: 'branding' as const,
    brand_name: own.brand_name,
    primary_color: own.primary_color,
    button_text_color: own.button_text_color,
    background_color: own.background_color,
    accent_color: own.accent_color,
    logo: logo && {
      url: logoUrl(linkBaseUrl, logo.address),
      content_type: logo.content_type,
      width: logo.width,
      height: logo.height,
      bytes: logo.bytes,
    },
    version,
    updated_at: updatedAt.toISOString(),
  }
}
