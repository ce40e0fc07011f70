import { getStatement } from '@aisle/contract/settlement/batch'
import { moneyText } from '@aisle/contract/kernel/text'
import { countText } from '../../admin/fields/number'
import { call } from '../../live/call'
import { bytesOf } from '../../ui/control/files'
import { PaperTable, Printed, usePaper } from '../../ui/printed'
import { useLanguage, useText } from '../../ui/text'
import type { BatchDetail } from './batchDrawer'

type Statement = { name: string; hash: string; heading: string[]; rows: string[][] }

/** Numbers of order and refund and the time stand before the amounts. */
const FIRST_AMOUNT = 3

/** The lines of the file that is downloaded: what is printed has the same checksum. */
async function readStatement(id: number): Promise<Statement> {
  const { name, hash, content } = await call(getStatement, { id, format: 'csv' })
  // The mark that begins the file is none of its text, and goes in decoding.
  const [heading = [], ...rows] = new TextDecoder()
    .decode(bytesOf(content))
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  return { name: name.replace(/\.csv$/, ''), hash, heading, rows }
}

/** On paper, or as the PDF that every browser prints into, with the fonts of whoever reads it. */
export function StatementPaperButton({ batch }: { batch: BatchDetail }) {
  const t = useText('settlement')
  const { paper, isReading, print } = usePaper(
    () => readStatement(batch.id),
    ({ name }) => name,
  )
  return (
    <>
      <button type="button" className="btn" disabled={isReading} onClick={print}>
        {t('batch.statement.print')}
      </button>
      {paper && <Paper batch={batch} statement={paper} />}
    </>
  )
}

function Paper({ batch, statement: { hash, heading, rows } }: { batch: BatchDetail; statement: Statement }) {
  const t = useText('settlement')
  const net = moneyText(batch.netFen, useLanguage())
  return (
    <Printed part="statement-paper" isWide>
      <h1>{t('batch.statement')}</h1>
      <h2>{`${batch.businessDay} ${batch.merchantName} · ${t(`method.${batch.method}`)}`}</h2>
      <p>
        {`${t('field.netFen')} ${net} · ${t(`batchState.${batch.state}`)} · `}
        {t('batch.lines', { count: countText(rows.length) })}
        <br />
        {`SHA-256 ${hash}`}
      </p>
      <PaperTable
        columns={heading.map((head, at) => ({
          key: head,
          head,
          isNumber: at >= FIRST_AMOUNT,
          cell: (cells: string[]) => cells[at] ?? '',
        }))}
        rows={rows}
        keyOf={([orderNo, refundNo]) => `${orderNo}/${refundNo}`}
      />
    </Printed>
  )
}
