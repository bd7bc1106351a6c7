import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { columns, corpus, fileOf, isComputed, parsed } from '../support/report-files.ts'
import { isWhole } from '../support/share.ts'

/** Where LibreOffice is: `SOFFICE_PATH`, or on the path; undefined where there is none. */
const soffice = [
  process.env.SOFFICE_PATH,
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'soffice')),
].find((path) => path && existsSync(path))

/** What its dialog proposes for a file with a mark: commas, quotes, UTF-8. The last one has it compute formulas. */
const asProposed = '--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,0,true'

interface Cell {
  readonly type: string | null
  readonly formula: string | null
  readonly value: string
}

/** The rows of a sheet in OpenDocument's flat form. */
function sheetOf(xml: string): Cell[][] {
  const rows: Cell[][] = []
  let [cell, lines, times] = [null as Omit<Cell, 'value'> | null, [] as string[], 1]
  let [number, isText] = [null as string | null, false]
  const parser = new SaxesParser()
  const write = (text: string) => {
    if (isText) lines[lines.length - 1] += text
  }
  parser.on('opentag', ({ name, attributes: of }) => {
    if (name === 'table:table-row') rows.push([])
    if (name === 'table:table-cell') {
      cell = { type: of['office:value-type'] ?? null, formula: of['table:formula'] ?? null }
      ;[number, lines, times] = [
        of['office:value'] ?? null,
        [],
        Number(of['table:number-columns-repeated'] ?? 1),
      ]
    }
    if (name === 'text:p' && cell) [lines, isText] = [[...lines, ''], true]
    if (name === 'text:s') write(' '.repeat(Number(of['text:c'] ?? 1)))
    if (name === 'text:tab') write('\t')
    if (name === 'text:line-break') write('\n')
  })
  parser.on('text', write)
  parser.on('closetag', ({ name }) => {
    if (name === 'text:p') isText = false
    if (name !== 'table:table-cell' || !cell) return
    const read = { ...cell, value: number ?? lines.join('\n') }
    for (let at = 0; at < times; at++) rows.at(-1)!.push(read)
    cell = null
  })
  parser.write(xml).close()
  return rows
}

async function opened(file: Uint8Array): Promise<Cell[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'spindle-sheet-'))
  try {
    await writeFile(join(folder, 'report.csv'), file)
    const profile = `-env:UserInstallation=file://${folder}/profile`
    const convert = [profile, '--headless', asProposed, '--convert-to', 'fods', '--outdir', folder]
    await promisify(execFile)(soffice!, [...convert, join(folder, 'report.csv')])
    return sheetOf(await readFile(join(folder, 'report.fods'), 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Amounts of at most fifteen digits: a spreadsheet keeps no more of any number. */
const amounts = ['0', '-1', '99', '-123456', '100000000000000', '-999999999999999']

/** A row for each text of the corpus. */
const rows = corpus.map((text, at) =>
  columns.map(({ kind }, column) =>
    kind === 'minor'
      ? amounts[(at + column) % amounts.length]!
      : kind === 'time'
        ? '2026-03-01 06:00:00.123+00'
        : kind === 'count'
          ? String(at * 7_919)
          : text,
  ),
)

test.runIf(isWhole)(
  'LibreOffice shows what another program reads from a CSV, computes no text, and has amounts as numbers',
  { timeout: 120_000 },
  async ({ skip }) => {
    skip(
      !soffice,
      'LibreOffice is not installed: apt-get install libreoffice-calc-nogui, or set SOFFICE_PATH',
    )
    const file = fileOf(rows)
    const read = parsed(new TextDecoder().decode(file))
    const sheet = await opened(file)
    expect(sheet).toHaveLength(read.length)
    expect(sheet[0]!.map(({ value }) => value)).toEqual(columns.map(({ name }) => name))
    for (const [at, line] of read.entries())
      for (const [column, cell] of line.entries()) {
        const shown = sheet[at]![column]!
        const kind = at === 0 ? 'text' : columns[column]!.kind
        expect(shown.formula, cell).toBe(null)
        if (kind === 'minor' || kind === 'count') {
          expect([shown.type, Number(shown.value)], cell).toEqual(['float', Number(cell)])
          continue
        }
        expect(shown.type, cell).toBe(cell === '' ? null : 'string')
        expect(shown.value).toBe(cell.replaceAll(/\r\n?/g, '\n'))
        expect(isComputed.test(shown.value), cell).toBe(false)
      }
  },
)

test.runIf(isWhole)(
  'LibreOffice computes a formula that has no quote before it',
  { timeout: 120_000 },
  async ({ skip }) => {
    skip(!soffice, 'LibreOffice is not installed')
    const [[shown]] = (await opened(new TextEncoder().encode('\ufeff=1+1\r\n'))) as [[Cell]]
    expect(shown).toMatchObject({ formula: 'of:=1+1', type: 'float', value: '2' })
  },
)
