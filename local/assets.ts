import { globSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildSync, transformSync } from 'esbuild'
import type { Document } from './docs/document.ts'
import { errorsPage } from './docs/errors.ts'
import { guideFiles } from './docs/guides.ts'
import { referenceFiles } from './docs/reference.ts'
import { openapi, openapiText } from './openapi.ts'
import { PROJECT } from './project.ts'

const HEADERS = `/assets/*
  Cache-Control: public, max-age=3600
  X-Content-Type-Options: nosniff
/docs*
  Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
/robots.txt
  X-Content-Type-Options: nosniff
/openapi.json
  Access-Control-Allow-Origin: *
`

/**
 * Crawlers read the documentation; every other page belongs to the person who was given its address. Programs that draw
 * the preview of a link in a message read the page of that link.
 */
const ROBOTS = `User-agent: facebookexternalhit
User-agent: LinkedInBot
User-agent: Slackbot-LinkExpanding
User-agent: TelegramBot
User-agent: Twitterbot
User-agent: WhatsApp
Allow: /

User-agent: *
Allow: /docs
Allow: /openapi.json
Allow: /assets/
Disallow: /
`

/**
 * Builds all served files into `dist/assets`: the pages' styles and scripts under /assets, the OpenAPI document, the
 * API reference at /docs with its files, the error catalog and the guides.
 */
export async function buildAssets(project = PROJECT): Promise<string> {
  const folder = join(project, 'dist', 'assets')
  const fresh = `${folder}-${process.pid}`
  await mkdir(join(fresh, 'assets'), { recursive: true })
  await mkdir(join(fresh, 'docs'))
  const files = globSync('functions/*/*/pages/assets/*', { cwd: project })
  await Promise.all(
    files.map((file) => writeFile(join(fresh, 'assets', basename(file)), minified(join(project, file)))),
  )
  const document = openapi()
  await writeFile(join(fresh, 'openapi.json'), openapiText(document))
  for (const file of ['docs.css', 'find.js'])
    await writeFile(join(fresh, 'docs', file), minified(join(PROJECT, 'local', 'docs', file)))
  for (const inner of ['areas', 'operations', 'events', 'guides/examples'])
    await mkdir(join(fresh, 'docs', inner), { recursive: true })
  await writeFile(join(fresh, 'docs', 'errors.html'), errorsPage())
  for (const [file, text] of guideFiles()) await writeFile(join(fresh, 'docs', file), text)
  const pages = [...referenceFiles(document as unknown as Document)]
  await Promise.all(pages.map(([file, text]) => writeFile(join(fresh, file), text)))
  await writeFile(join(fresh, 'robots.txt'), ROBOTS)
  await writeFile(join(fresh, '_headers'), HEADERS)
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true })) // another build was first
  return folder
}

/** A page's file, minified; a script with what it imports, so that a page loads one. */
export function minified(file: string): string | Buffer {
  if (file.endsWith('.css'))
    return transformSync(readFileSync(file, 'utf8'), { loader: 'css', minify: true }).code
  if (!file.endsWith('.js')) return readFileSync(file)
  const built = buildSync({ entryPoints: [file], bundle: true, write: false, minify: true, format: 'esm' })
  return built.outputFiles[0]!.text
}

if (import.meta.main) await buildAssets()
