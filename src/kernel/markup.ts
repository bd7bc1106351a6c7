const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as it stands in the text or in a quoted attribute of HTML and SVG. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!)
