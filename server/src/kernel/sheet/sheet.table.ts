import { parseCsv } from 'hucre/csv'
import { Broken, TooLarge } from '../files/zip'
import { MOST_CHARS, MOST_COLUMNS, xlsxTable } from './sheet.xlsx'

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')

export type Sheet = { base64: string; mostRows: number }

/**
 * Rows of cells as typed, the heading first, of an xlsx or csv, told apart by the first bytes. Runs apart from the
 * server's own thread (`sheet.worker.ts`): whoever sent it may have made it to keep others waiting.
 * @throws TooLarge, or Broken for what is neither
 */
export async function tableOf({ base64, mostRows }: Sheet): Promise<string[][]> {
  const bytes = Buffer.from(base64, 'base64')
  const isZip = bytes.subarray(0, 4).equals(ZIP)
  const table = isZip ? await xlsxTable(bytes, mostRows) : csvTable(bytes, mostRows)
  let chars = 0
  return table.map((row) =>
    row.map((cell) => {
      chars += cell.length
      // A text that stands in the file once may stand in each of its cells.
      if (chars > MOST_CHARS) throw new TooLarge()
      return cell.replace(/^'(?=[=+\-@])/, '')
    }),
  )
}

function csvTable(bytes: Buffer, maxRows: number): string[][] {
  const rows = parseCsv(textOf(bytes).replace(/^\ufeff/, ''), { maxRows })
  return rows.map((row) => row.slice(0, MOST_COLUMNS).map((cell) => (typeof cell === 'string' ? cell : '')))
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw error instanceof TypeError ? new Broken() : error
  }
}
