import { posix } from 'node:path'
import { Broken, contentOf, entriesOf, type Entry, piecesOf, TooLarge } from '../files/zip'
import { dateOf, readDateStyles } from './sheet.date'
import { attribute, type XmlHearer, xmlReader } from './sheet.xml'

/** Far more columns than we have: what stands further right is not looked at. */
export const MOST_COLUMNS = 40
/** Letters of all texts of a sheet, and those of all cells of its table. */
export const MOST_CHARS = 4_000_000
const MOST_TEXTS = 200_000
const LONGEST_VALUE = 32_767
/** A book of styled rows unfolds to thirty times its size; it is never held as a whole. */
const most = { bytes: 32 * 1024 * 1024, entries: 500 }
/** Parts that are held: which sheets there are and what a number means. */
const MOST_PART_BYTES = 1024 * 1024

type Parts = ReadonlyMap<string, Entry>
type Style = { isDate: readonly boolean[]; is1904: boolean }

/**
 * The first sheet of a workbook as rows of texts. Its parts are read as they unfold and only what is asked for is kept,
 * so that neither millions of rows nor a far corner take memory. @throws TooLarge, Broken
 */
export async function xlsxTable(bytes: Buffer, mostRows: number): Promise<string[][]> {
  const parts: Parts = new Map(entriesOf(bytes, most).map((entry) => [entry.name, entry]))
  const book = linksOf(parts, '_rels/.rels', '').find(({ type }) => type === 'officeDocument')?.path ?? ''
  const links = linksOf(parts, `${folderOf(book)}_rels/${book.slice(folderOf(book).length)}.rels`, folderOf(book))
  const { first, is1904 } = aboutBook(textIn(parts, book))
  const partOf = (wanted: string) => parts.get(links.find(({ type }) => type === wanted)?.path ?? '')
  const sheet = parts.get(links.find(({ id }) => id === first)?.path ?? '')
  if (!sheet) throw new Broken()
  const texts = await textsIn(partOf('sharedStrings'))
  const style = { isDate: readDateStyles(contentText(partOf('styles'))), is1904 }
  return rowsIn(sheet, texts, style, mostRows)
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
const textIn = (parts: Parts, path: string): string => contentText(parts.get(path))

function contentText(part: Entry | undefined): string {
  if (!part) return ''
  if (part.size > MOST_PART_BYTES) throw new TooLarge()
  return contentOf(part).toString('utf8')
}

/** A part's relations to others: `type` without the address before it, which differs by the standard's edition. */
function linksOf(parts: Parts, path: string, folder: string): { id: string; type: string; path: string }[] {
  const links: { id: string; type: string; path: string }[] = []
  heard(textIn(parts, path), (name, at) => {
    if (name !== 'Relationship') return
    const target = attribute(at, 'Target') ?? ''
    const type = (attribute(at, 'Type') ?? '').split('/').at(-1) ?? ''
    // `/xl/a.xml`, `a.xml` and `../xl/a.xml` are one.
    const to = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
    links.push({ id: attribute(at, 'Id') ?? '', type, path: to })
  })
  return links
}

function aboutBook(xml: string): { first: string; is1904: boolean } {
  let [first, is1904] = ['', false]
  heard(xml, (name, at) => {
    if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attribute(at, 'date1904') ?? '')
    if (name === 'sheet' && first === '') first = attribute(at, 'id') ?? ''
  })
  return { first, is1904 }
}

function heard(xml: string, open: XmlHearer['open']): void {
  xmlReader({ open, close: () => undefined, text: () => undefined })(xml)
}

/** @param isOver asked after each piece: what follows is not unpacked any more */
async function hear(part: Entry, hearer: XmlHearer, isOver = () => false): Promise<void> {
  const read = xmlReader(hearer)
  const decoder = new TextDecoder()
  for await (const piece of piecesOf(part)) {
    read(decoder.decode(piece, { stream: true }))
    if (isOver()) return
  }
}

/** The table of texts that cells speak of by number. */
async function textsIn(part: Entry | undefined): Promise<string[]> {
  const texts: string[] = []
  if (!part) return texts
  const item = textHearer('si')
  let chars = 0
  await hear(part, {
    ...item,
    close: (name) => {
      item.close(name)
      if (name !== 'si') return
      const text = item.take()
      texts.push(text)
      chars += text.length
      if (chars > MOST_CHARS || texts.length > MOST_TEXTS) throw new TooLarge()
    },
  })
  return texts
}

/** Collects the `t` within; how a word is pronounced (`rPh`) is no part of it. */
function textHearer(outer: string): XmlHearer & { take: () => string } {
  let [words, inText, inSound]: [string[], boolean, boolean] = [[], false, false]
  let chars = 0
  return {
    open: (name) => {
      if (name === outer) [words, chars] = [[], 0]
      if (name === 'rPh') inSound = true
      inText = name === 't' && !inSound
    },
    close: (name) => {
      if (name === 't') inText = false
      if (name === 'rPh') inSound = false
    },
    text: (more) => {
      if (!inText) return
      words.push(more)
      chars += more.length + 1
      if (chars > MOST_CHARS) throw new TooLarge()
    },
    // What a sheet can't hold as it is, it writes as _x000D_.
    take: () => words.join('').replace(/_x([0-9A-F]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  }
}

async function rowsIn(part: Entry, texts: readonly string[], style: Style, mostRows: number): Promise<string[][]> {
  const rows: string[][] = []
  const inline = textHearer('is')
  let [row, column, isOver] = [-1, -1, false]
  let [type, kind, value, inValue] = ['', -1, '', false]
  const openCell = (at: string) => {
    column = columnOf(attribute(at, 'r')) ?? column + 1
    ;[type, kind, value] = [attribute(at, 't') ?? 'n', Number(attribute(at, 's') ?? -1), '']
  }
  const closeCell = () => {
    const text = type === 'inlineStr' ? inline.take() : textOfValue(value, type, texts, isDate(style, kind, type))
    const cells = rows[row]
    if (!cells || column >= MOST_COLUMNS || text === '') return
    while (cells.length < column) cells.push('')
    cells[column] = text
  }
  const hearer: XmlHearer = {
    open: (name, at) => {
      if (isOver) return
      inline.open(name, at)
      inValue = name === 'v'
      if (name === 'c') openCell(at)
      if (name !== 'row') return
      row = Number(attribute(at, 'r') ?? row + 2) - 1
      column = -1
      isOver = !(row >= 0 && row < mostRows)
      while (!isOver && rows.length <= row) rows.push([])
    },
    close: (name) => {
      if (isOver) return
      inline.close(name)
      if (name === 'v') inValue = false
      if (name === 'c') closeCell()
      isOver = name === 'sheetData'
    },
    text: (more) => {
      inline.text(more)
      if (inValue && value.length < LONGEST_VALUE) value += more
    },
  }
  await hear(part, hearer, () => isOver)
  return rows
}

const isDate = ({ isDate: known, is1904 }: Style, kind: number, type: string) =>
  type === 'n' && known[kind] ? { is1904 } : null

function textOfValue(value: string, type: string, texts: readonly string[], date: { is1904: boolean } | null): string {
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type !== 'n' || value === '') return value
  const number = Number(value)
  if (Number.isNaN(number)) return value
  return date ? dateOf(number, date.is1904) : String(number)
}

/** `AB12` → 27 */
function columnOf(reference: string | null): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase()
  if (!letters) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
