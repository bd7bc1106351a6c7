/** A color as `#rrggbb`, in lowercase. */
export type Color = string

const channels = (color: Color): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** Relative luminance, as WCAG 2.2 defines it: 0 for black, 1 for white. */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast ratio of two colors, from 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: Color, other: Color): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** `share` of `other` in `color`: 0 is the color itself, 1 the other one. */
export function mix(color: Color, other: Color, share: number): Color {
  const to = channels(other)
  const mixed = channels(color).map((channel, at) => Math.round(channel + (to[at]! - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Whether a color has this contrast with each of the others. */
export const stands = (color: Color, on: readonly Color[], ratio: number): boolean =>
  on.every((other) => contrast(color, other) >= ratio)

/** The color itself, or the nearest one towards `end` with this contrast on all of `on`; `end` where none has it. */
export function readable(color: Color, on: readonly Color[], end: Color, ratio: number): Color {
  for (let percent = 0; percent <= 100; percent += 2) {
    const nearer = mix(color, end, percent / 100)
    if (stands(nearer, on, ratio)) return nearer
  }
  return end
}
