import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { pageHeaders } from '../../functions/page/hosted-payment/pages/frame/headers.ts'
import { isWhole } from '../support/share.ts'

/**
 * Where Chromium is: `CHROMIUM_PATH`, or where the systems' packages put it; null when there is none. Its headless shell
 * comes first: the same engine without a window around each page, for a fraction of the processor time.
 */
export const chromiumPath: string | null =
  [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find((path) => path && existsSync(path)) ?? null

/** The last four take half of the processor time: one process draws, one shows all pages of a context, no code is optimized. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--in-process-gpu',
  '--process-per-site',
  '--renderer-process-limit=1',
  '--js-flags=--no-opt --no-maglev',
]

/** One Chromium for a test file; playwright gives it a fresh profile and removes it. Close it in `afterAll`. */
export function launchChromium(): Promise<Browser> {
  if (!chromiumPath) throw new Error('No Chromium found: install it or set CHROMIUM_PATH')
  return chromium.launch({ executablePath: chromiumPath, args: flags })
}

export type Tab = {
  readonly page: Page
  /** Addresses of every request the page made, `data:` left out. */
  readonly requests: string[]
  /** Console errors (refusals by the Content-Security-Policy among them) and uncaught exceptions. */
  readonly problems: string[]
  close(): Promise<void>
}

/** A tab in a context of its own that keeps a record of what left it and of what went wrong. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, ...options })
  return watched(await context.newPage(), () => context.close())
}

/** The same for a page that is there already. */
export function watched(page: Page, close = () => page.close()): Tab {
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  return { page, requests, problems, close }
}

/** Requests that went anywhere but `origin`. */
export function foreignRequests(tab: Tab, origin: string): string[] {
  return tab.requests.filter((url) => new URL(url).origin !== origin)
}

/** Its smaller form: what a page must read takes longer than the rules on most pages. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Where a tab keeps that for its next pages: sent with each, it would take longer than what axe does. */
const kept = 'axe'
const findings = `axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
  .then(({ violations }) => violations)`

/** What axe judges a page by: its elements with their roles, classes and languages, where text stands, styles and screen. */
const build = `(() => {
  const values = ['class', 'lang', 'style', 'role', 'type', 'tabindex', 'aria-hidden', 'aria-invalid', 'aria-expanded']
  const built = (each) => [
    each.tagName, each.checkVisibility(), each.textContent.trim() === '', each.matches('style') && each.textContent,
    ...each.getAttributeNames().map((name) => values.includes(name) ? name + each.getAttribute(name) : name),
  ].join()
  const screen = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((each) => matchMedia(each).matches)
  return [innerWidth, ...screen, document.activeElement.tagName, ...[...document.querySelectorAll('*')].map(built)].join()
})()`
const sound = new Set<string>()

/**
 * What axe finds wrong (WCAG 2.2 A and AA and its best practices), one readable line per node. A page that is built as
 * one in which it found nothing is not read again, unless TESTS=all: reading takes most of a second of the processor.
 */
export async function axeProblems(page: Page): Promise<string[]> {
  const built = isWhole ? '' : await page.evaluate<string>(build)
  if (sound.has(built)) return []
  // Through the debugger, which the page's Content-Security-Policy does not bind.
  const again = `(() => {
    const source = sessionStorage.getItem('${kept}')
    if (source) globalThis.eval(source)
    return source && ${findings}
  })()`
  const violations =
    (await page.evaluate<axe.Result[] | null>(again)) ??
    (await page.evaluate<axe.Result[]>(
      `sessionStorage.setItem('${kept}', ${JSON.stringify(axeSource)}); ${axeSource}; ${findings}`,
    ))
  if (built !== '' && violations.length === 0) sound.add(built)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  )
}

/** By how many pixels the page is wider than its window. */
export function overflowX(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

const assets = fileURLToPath(new URL('../../functions/page/hosted-payment/pages/assets/', import.meta.url))
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
}

/** `headers` beside those of every page, or instead of them. */
export type Answer = {
  readonly body: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}
export type LocalSite = {
  readonly origin: string
  /** Bodies of the forms that were posted, in order. */
  readonly posts: { path: string; form: URLSearchParams }[]
  close(): Promise<void>
}

/** Serves pages with the headers they have in the Worker, and the assets, on a free local port. */
export async function serveSite(answer: (path: string) => Promise<Answer> | Answer): Promise<LocalSite> {
  const posts: LocalSite['posts'] = []
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const asset = /^\/assets\/([a-z-]+\.[a-z]+)$/.exec(path)?.[1]
    if (asset && existsSync(assets + asset)) {
      response.setHeader('Content-Type', types[extname(asset)] ?? 'application/octet-stream')
      response.end(readFileSync(assets + asset))
      return
    }
    if (request.method === 'POST') {
      let body = ''
      for await (const chunk of request) body += chunk
      posts.push({ path, form: new URLSearchParams(body) })
    }
    const { body, status = 200, headers } = await answer(path)
    response.writeHead(status, { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8', ...headers })
    response.end(body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, posts, close: () => stop(server) }
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}

/** Axe finds nothing and nothing scrolls sideways; SHOTS names a folder to keep a picture of each state in. */
export async function expectSound(page: Page, state?: string): Promise<void> {
  expect(await axeProblems(page)).toEqual([])
  expect(await overflowX(page)).toBeLessThanOrEqual(0)
  if (process.env.SHOTS && state)
    await page.screenshot({ path: `${process.env.SHOTS}/${state}.png`, fullPage: true })
}

/** A picture of what is shown, where a person asked for them: `PICTURES=/tmp/x npx vitest run …`. */
export const picture = async (page: Page, name: string) => {
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
}
