import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Html } from '../../functions/page/hosted-payment/pages/frame/view.ts'
import { everyPage } from '../unit/pages/samples.ts'
import { type LocalSite, launchChromium, openTab, serveSite, type Tab } from './support.ts'

type TabOptions = Parameters<typeof openTab>[1]

export type SampleSite = {
  origin: string
  posts: LocalSite['posts']
  /** What the site answers by path beside the samples; a test puts its own pages there. */
  pages: Map<string, () => Html>
  openTab(options: TabOptions): Promise<Tab>
  /** Opens a tab, hands it to `use` and closes it. */
  withTab(options: TabOptions, use: (tab: Tab) => Promise<void>): Promise<void>
  /** The one form that was sent to a path that ends with `to`. */
  posted(to?: string): Promise<URLSearchParams>
}

/** Serves every sample page by its name to a Chromium of the tests around the call. `origin` is known once they run. */
export function sampleSite(): SampleSite {
  let browser: Browser
  let local: LocalSite
  const site: SampleSite = {
    origin: '',
    posts: [],
    pages: new Map(),
    openTab: (options) => openTab(browser, options),
    async withTab(options, use) {
      const tab = await openTab(browser, options)
      try {
        await use(tab)
      } finally {
        await tab.close()
      }
    },
    async posted(to = '/attempts') {
      const sent = () => site.posts.filter(({ path }) => path.endsWith(to))
      await expect.poll(() => sent().length).toBe(1)
      return sent()[0]!.form
    },
  }
  beforeAll(async () => {
    browser = await launchChromium()
    local = await serveSite(async (path) => {
      const { pathname, searchParams } = new URL(path, 'http://site')
      const locale = searchParams.get('lang') === 'en' ? 'en' : 'es-MX'
      const page = site.pages.get(pathname) ?? (() => everyPage[pathname.slice(1)]?.({ locale }))
      return { body: String((await page()) ?? 'sent') }
    })
    site.origin = local.origin
    site.posts = local.posts
  })
  afterAll(async () => {
    await browser.close()
    await local.close()
  })
  return site
}
