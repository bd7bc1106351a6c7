import { type Color, contrast, mix, readable } from './colors.ts'

/** A logo as pages and mails show it. */
export interface Logo {
  /** Below /logos; of its content, so that an address always has the same image. */
  readonly address: string
  readonly content_type: 'image/png' | 'image/jpeg' | 'image/svg+xml'
  readonly width: number
  readonly height: number
}

/** How a merchant looks to its buyers. Null: our own. */
export interface Look {
  readonly primary_color: Color | null
  readonly button_text_color: Color | null
  readonly background_color: Color | null
  readonly accent_color: Color | null
  readonly logo: Logo | null
}

/** Whom buyers pay, as the law knows it, and how they reach it. */
export interface Reach {
  readonly legalName: string | null
  readonly email: string | null
  /** E.164. */
  readonly phone: string | null
  readonly website: string | null
}

/** What text needs on its background (WCAG 2.2, 1.4.3), and what anything else needs to be seen (1.4.11). */
export const textRatio = 4.5
const shapeRatio = 3

/** The colors of pages and mails that no merchant changes, in light and dark mode. */
export const ours = {
  primary: '#0d6a5f',
  light: { page: '#f4f5f2', sheet: '#ffffff', sunk: '#f7f8f6', soft: '#56625f' },
  dark: { page: '#101514', sheet: '#19201e', sunk: '#1f2725', onAccent: '#05201c' },
} as const

const [black, white] = ['#000000', '#ffffff']

/** Text for a background: white if it can be read there, else black, which then can. */
export const textOn = (background: Color): Color => (contrast(white, background) >= textRatio ? white : black)

export interface Palette {
  readonly page: Color
  readonly accent: Color
  readonly accentStrong: Color
  readonly accentWash: Color
  readonly onAccent: Color
  readonly button: Color
  readonly buttonStrong: Color
  readonly onButton: Color
}

/** A look's colors for light pages and mails, each readable where it stands; null where it sets none. */
export function lightPalette(look: Look): Palette | null {
  if (!hasColors(look)) return null
  const page = look.background_color ?? ours.light.page
  const wanted = look.accent_color ?? look.primary_color ?? ours.primary
  const accentWash = mix(ours.light.sheet, wanted, 0.1)
  const { sheet, sunk } = ours.light
  const accent = readable(wanted, [page, sheet, sunk, accentWash], black, textRatio)
  const button = look.primary_color ?? ours.primary
  const onButton = look.button_text_color ?? textOn(button)
  return {
    page,
    accent,
    accentStrong: mix(accent, black, 0.15),
    accentWash,
    onAccent: white,
    button,
    buttonStrong: awayFrom(onButton, button),
    onButton,
  }
}

/** The same for dark pages: the background stays ours, and colors that would vanish in it are lightened. */
export function darkPalette(look: Look): Palette | null {
  if (!hasColors(look)) return null
  const { page, sheet, sunk, onAccent } = ours.dark
  const wanted = look.accent_color ?? look.primary_color ?? ours.primary
  const accentWash = mix(sheet, wanted, 0.2)
  const accent = readable(wanted, [page, sheet, sunk, accentWash, onAccent], white, textRatio)
  const primary = look.primary_color ?? ours.primary
  const button = readable(primary, [sheet], white, shapeRatio)
  const text = look.button_text_color
  const onButton = text !== null && contrast(text, button) >= textRatio ? text : textOn(button)
  return {
    page,
    accent,
    accentStrong: mix(accent, white, 0.15),
    accentWash,
    onAccent,
    button,
    buttonStrong: awayFrom(onButton, button),
    onButton,
  }
}

const hasColors = ({ primary_color, button_text_color, background_color, accent_color }: Look) =>
  [primary_color, button_text_color, background_color, accent_color].some((color) => color !== null)

/** A background further from its text: the contrast only grows. */
const awayFrom = (text: Color, background: Color): Color =>
  mix(background, contrast(background, black) < contrast(text, black) ? black : white, 0.14)

/** The merchant of a page. */
export interface Payee extends Reach {
  readonly name: string
}

/** A look as one page shows it. */
export interface ShownLook extends Pick<Look, 'logo'> {
  readonly name: string
  /** Empty where it has no colors of its own. */
  readonly css: string
  /** The Content-Security-Policy that allows this style and no other. */
  readonly policy: string
}
