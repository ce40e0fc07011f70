import { crc32, deflateRawSync } from 'node:zlib'

const MB = 1024 * 1024

type Packed = { name: string; content: Buffer | string; declared?: number; isPacked?: boolean }

/** @param entries the directory speaks of them in this order; `declared` is a lie about the size */
export function zipOf(entries: readonly Packed[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const packed = packOf(entry)
    const local = Buffer.concat([header(0x04034b50, packed, 26), packed.name, packed.raw])
    directory.push(directoryEntry(packed, at))
    files.push(local)
    at += local.length
  }
  return whole(files, directory)
}

/** Many entries of the directory over the bytes of one file. */
export function overlapping(entry: Packed, count: number): Buffer {
  const packed = packOf(entry)
  const local = Buffer.concat([header(0x04034b50, packed, 26), packed.name, packed.raw])
  return whole(
    [local],
    Array.from({ length: count }, () => directoryEntry(packed, 0)),
  )
}

type Raw = { name: Buffer; raw: Buffer; size: number; sum: number; method: number }

function packOf({ name, content, declared, isPacked = true }: Packed): Raw {
  const bytes = Buffer.from(content)
  const raw = isPacked ? deflateRawSync(bytes, { level: 9 }) : bytes
  return {
    name: Buffer.from(name),
    raw,
    size: declared ?? bytes.length,
    sum: crc32(bytes),
    method: isPacked ? 8 : 0,
  }
}

function header(sign: number, { name, raw, size, sum, method }: Raw, lengthAt: number): Buffer {
  const shift = lengthAt - 26
  const bytes = Buffer.alloc(lengthAt + (shift > 0 ? 18 : 4))
  bytes.writeUInt32LE(sign)
  bytes.writeUInt16LE(method, 8 + shift)
  bytes.writeUInt32LE(sum, 14 + shift)
  bytes.writeUInt32LE(raw.length, 18 + shift)
  bytes.writeUInt32LE(size, 22 + shift)
  bytes.writeUInt16LE(name.length, lengthAt)
  return bytes
}

function directoryEntry(packed: Raw, at: number): Buffer {
  const bytes = header(0x02014b50, packed, 28)
  bytes.writeUInt32LE(at, 42)
  return Buffer.concat([bytes, packed.name])
}

function whole(files: readonly Buffer[], directory: readonly Buffer[]): Buffer {
  const [body, index] = [Buffer.concat(files), Buffer.concat(directory)]
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(body.length, 16)
  return Buffer.concat([body, index, end])
}

const relations = (...links: [type: string, target: string][]) =>
  `<Relationships>${links.map(relation).join('')}</Relationships>`
const relation = ([type, target]: [type: string, target: string], at: number) =>
  `<Relationship Id="rId${at + 1}" Type="http://x/relationships/${type}" Target="${target}"/>`

type Book = { sheet: string | Buffer; strings?: string | Buffer; more?: readonly Packed[] }

/** A workbook whose first sheet and texts are what somebody wants them to be. */
export const bookOf = ({ sheet, strings = '<sst></sst>', more = [] }: Book): Buffer =>
  zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relations(['officeDocument', 'xl/workbook.xml']) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook><sheets><sheet name="x" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(['worksheet', 'worksheets/sheet1.xml'], ['sharedStrings', 'sharedStrings.xml']),
    },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
    { name: 'xl/sharedStrings.xml', content: strings },
    ...more,
  ])

/** As many bytes of it as fit: what repeats packs a thousand to one. */
const times = (piece: string, megabytes: number): Buffer => Buffer.alloc(megabytes * MB, piece)
const within = (before: string, bytes: Buffer, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])

const one = '<sheetData><row r="1"><c t="s"><v>0</v></c></row></sheetData>'
const corners = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
const cells = (count: number) => '<c t="s"><v>0</v></c>'.repeat(count)
const rows = (count: number, inside: string) => `<row>${inside}</row>`.repeat(count)

const repeated = '<si><t>aaaaaaaaaaaaaaaaaaa</t></si>'
const textsOf = (mb: number) => within('<sst>', times(repeated, mb), '</sst>')
const sheetOf = (before: string, piece: string, mb: number, after = '') =>
  bookOf({ sheet: within(`<sheetData>${before}`, times(piece, mb), `${after}</sheetData>`) })

/** Workbooks of at most 700 KB, made to take memory, time or the whole process; most unfold to so many megabytes. */
export const sheetBombs: Record<string, (mb: number) => Buffer> = {
  'far more than is unpacked': (mb) => bookOf({ sheet: one, strings: textsOf(mb * 4) }),
  'many texts': (mb) => bookOf({ sheet: one, strings: textsOf(mb) }),
  'millions of empty texts': (mb) => bookOf({ sheet: one, strings: within('<sst>', times('<si/>', mb), '</sst>') }),
  'one long text': (mb) => bookOf({ sheet: one, strings: within('<sst><si><t>', times('a', mb), '</t></si></sst>') }),
  'one text in pieces': (mb) =>
    bookOf({ sheet: one, strings: within('<sst><si><t>', times('aaaaaaaaaaaaaaa<!---->', mb), '</t></si></sst>') }),
  'a long text in every cell': () =>
    bookOf({
      sheet: `<sheetData>${rows(5_000, cells(16))}</sheetData>`,
      strings: `<sst><si><t>${'a'.repeat(200_000)}</t></si></sst>`,
    }),
  'a tag without end': (mb) => sheetOf('<row ', 'a="1" ', mb),
  'many files': () =>
    bookOf({ sheet: one, more: Array.from({ length: 600 }, (_, i) => ({ name: `xl/s${i}.xml`, content: 'x' })) }),
  'millions of empty rows': (mb) => sheetOf('', '<row/>', mb),
  'millions of cells in a row': (mb) => sheetOf('<row>', '<c><v>1</v></c>', mb, '</row>'),
  'a number without end': (mb) => sheetOf('<row><c><v>', '1<!---->', mb, '</v></c></row>'),
  'deep tags': (mb) => sheetOf('', '<a>', mb),
  'entities of entities': () =>
    bookOf({
      sheet: `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(9_999)}"><!ENTITY d "${'&b;'.repeat(999)}">]>${one}`,
      strings: `<sst><si><t>${'&d;'.repeat(999)}</t></si></sst>`,
    }),
  'a far corner': () => bookOf({ sheet: `<dimension ref="A1:XFD1048576"/><sheetData>${corners}</sheetData>` }),
  'a size that is a lie': (mb) =>
    bookOf({ sheet: one, more: [{ name: 'xl/sharedStrings.xml', content: textsOf(mb), declared: 999 }] }),
  'one file many times': () => overlapping({ name: 'xl/workbook.xml', content: times(' ', 1) }, 16),
}
