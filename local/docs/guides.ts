import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { PROJECT } from '../project.ts'
import { page } from './page.ts'
import { anchorOf, block } from './text.ts'

/** The guides for merchants' developers, in the order of their list; the other files of docs/ are for this project's. */
const guides = [
  'setting-up',
  'signing-in',
  'payment-links',
  'selling-with-stock',
  'checkout-orders',
  'delivering',
  'table-pay',
  'devices',
  'terminal',
  'registers',
  'what-payments-say',
  'importing-customers',
  'reporting',
  'sandbox',
  'webhooks',
  'typed-clients',
  'glossary',
]

const textOf = (file: string) => readFileSync(join(PROJECT, 'docs', file), 'utf8')
const titleOf = (text: string) => /^# (.+)$/m.exec(text)?.[1] ?? ''

/** A guide's link to another guide or its example leads to where it is served; others are only in the repository. */
function servedAt(href: string): string | null {
  if (/^(https?:|#|\/docs)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const name = basename(file, '.md')
  if (file.startsWith('examples/')) return `/docs/guides/${file}`
  if (file.includes('/') || !guides.includes(name)) return null
  return `/docs/guides/${name}${anchor === undefined ? '' : `#${anchor}`}`
}

export const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }: Tokens.Link) {
      const to = servedAt(href)
      const inner = this.parser.parseInline(tokens)
      return to === null ? inner : `<a href="${to.replaceAll('"', '%22')}">${inner}</a>`
    },
    table(token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: 'td' | 'th') =>
        `<tr>${cells.map(({ tokens }) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<div class="scrolls" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>\n${body}</tbody></table></div>\n`
    },
    code({ text, lang }: Tokens.Code) {
      return `${block(lang ? `Example, ${lang}` : 'Example', text)}\n`
    },
  },
})

/** Each file below /docs with its text: the guides, their list, and the examples that they link to. */
export function guideFiles(): ReadonlyMap<string, string> {
  const pages = guides.map((name): [string, string] => {
    const text = textOf(`${name}.md`)
    const body = `<main class="prose guide">\n${markdown.parse(text, { async: false })}</main>`
    return [`guides/${name}.html`, page({ title: titleOf(text), at: '/docs/guides', body })]
  })
  const list = guides.map((name) => {
    const text = textOf(`${name}.md`)
    return `<li><a href="/docs/guides/${name}">${markdown.parseInline(titleOf(text), { async: false })}</a></li>`
  })
  const body = `<main class="prose">\n<h1>Guides</h1>\n<ul>\n${list.join('\n')}\n</ul>\n</main>`
  const examples = globSync('examples/*', { cwd: join(PROJECT, 'docs') })
  return new Map([
    ...pages,
    ['guides.html', page({ title: 'Guides', at: '/docs/guides', body })],
    ...examples.map((file): [string, string] => [`guides/${file}`, textOf(file)]),
  ])
}
