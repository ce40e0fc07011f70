import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { bookOf, zipOf } from '../../testing/bombs'
import { tableOf } from './sheet.table'

const read = (bytes: Uint8Array, mostRows = 9) => tableOf({ base64: Buffer.from(bytes).toString('base64'), mostRows })

test('cells are read as they are seen: texts, numbers, days, yes and no, and gaps', async () => {
  const rows = [
    ['编号', 'a & b <c> "d"', ' kept ', null, 'é\n二'],
    [1, -2.5, 1e21, true, new Date('2026-05-01T00:00:00Z')],
    [],
    [null, null, "'=1+1", '-3'],
  ]
  expect(
    await read(
      await writeXlsx({
        sheets: [
          { name: 'x', rows },
          { name: 'y', rows: [['no']] },
        ],
      }),
    ),
  ).toEqual([
    ['编号', 'a & b <c> "d"', ' kept ', '', 'é\n二'],
    ['1', '-2.5', '1e+21', 'true', '2026-05-01'],
    [],
    ['', '', '=1+1', '-3'],
  ])
})

test('what spreadsheet programs write in their own ways is read', async () => {
  const strings = `<?xml version="1.0"?><x:sst><x:si><x:t>plain &#x4e8c;&amp;</x:t></x:si>
    <x:si><x:r><x:rPr><x:b/></x:rPr><x:t>rich</x:t></x:r><x:r><x:t xml:space="preserve"> text</x:t></x:r>
      <x:rPh sb="0" eb="1"><x:t>sound</x:t></x:rPh></x:si><x:si><x:t>a_x000D_b<![CDATA[<c>]]></x:t></x:si></x:sst>`
  const sheet = `<worksheet><!-- <row> --><sheetData><row r="2"><c r="B2" t='s'><v>0</v></c><c t="s"><v>1</v></c>
    <c r="E2" t="s"><v>2</v></c></row><row><c t="inlineStr"><is><t>in</t><r><t>line</t></r></is></c>
    <c t="str"><f>A1&amp;"x"</f><v>made</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c><c/></row>
    </sheetData><c><v>9</v></c></worksheet>`
  expect(await read(bookOf({ sheet, strings }))).toEqual([
    [],
    ['', 'plain 二&', 'rich text', '', 'a\rb<c>'],
    ['inline', 'made', 'false', '#N/A'],
  ])
})

test('a number is a day by its format, in both calendars', async () => {
  const rels = (...links: [string, string][]) =>
    links.map(([type, path], i) => `<Relationship Id="r${i}" Type="/${type}" Target="/${path}"/>`).join('')
  const cells = [0, 1, 2, 3].map((s) => `<c s="${s}"><v>46143</v></c>`).join('')
  const book = (is1904: boolean) =>
    zipOf([
      { name: '_rels/.rels', content: rels(['officeDocument', 'book']) },
      { name: 'book', content: `<workbookPr date1904="${is1904}"/><sheet r:id="r0"/>` },
      { name: '_rels/book.rels', content: rels(['worksheet', 'sheet'], ['styles', 'styles']) },
      {
        name: 'styles',
        content: `<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m"/>
          <numFmt numFmtId="165" formatCode="[Red]0.0&quot;days&quot;"/></numFmts>
          <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
          <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>`,
      },
      {
        name: 'sheet',
        content: `<sheetData><row>${cells}</row></sheetData>`,
      },
    ])
  expect(await read(book(false))).toEqual([['46143', '2026-05-01', '2026-05-01', '46143']])
  expect(await read(book(true))).toEqual([['46143', '2030-05-02', '2030-05-02', '46143']])
})

test('what lies beyond the rows and columns that are taken is not there', async () => {
  const sheet = `<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>
    <row r="9"><c><v>3</v></c></row><row r="10"><c><v>4</v></c></row></sheetData>`
  const table = await read(bookOf({ sheet }))
  expect([table.length, table[0], table[8]]).toEqual([9, ['1'], ['3']])
})
