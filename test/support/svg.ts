import { SaxesParser } from 'saxes'

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

/** The elements of a picture, which must be XML. */
export function elementsOf(svg: string): Element[] {
  const found: Element[] = []
  const open: Element[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' }
    found.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    if (open.length > 0) open.at(-1)!.text += text
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(svg).close()
  return found
}

export const ofClass = (elements: readonly Element[], name: string): Element[] =>
  elements.filter(({ attributes }) => attributes.class?.split(' ').includes(name))

export const numberOf = ({ attributes }: Element, name: string): number => Number(attributes[name])

export const texts = (elements: readonly Element[]): string[] =>
  elements.map(({ text }) => text.trim()).filter((text) => text !== '')
