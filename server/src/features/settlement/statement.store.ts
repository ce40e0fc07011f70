import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

export type StatementLine = {
  kind: 'payment' | 'refund' | 'fund_payment' | 'fund_refund' | 'fund_fee' | 'fund_payout' | 'fund_split' | 'fund_other'
  attemptNo: string
  refundNo: string
  channelNo: string
  amountFen: number
  feeFen: number
  balanceFen: number | null
  at: Date
}
export type StatementFile = {
  kind: 'trade' | 'fund' | 'bill'
  name: string
  content: Buffer
  lines: readonly StatementLine[]
}
type Import = { runId: number; source: 'fetched' | 'uploaded'; by: number | null; at: Date }

/**
 * Keeps a file as it came, with its lines. The same file a second time changes nothing; another file for a day that has
 * one is not taken: a channel's bill is a snapshot that does not change.
 */
export async function keepFile(tx: Tx, file: StatementFile, { runId, source, by, at }: Import): Promise<Kept> {
  const hash = createHash('sha256').update(file.content).digest()
  const made = await sql<{ id: number }>`insert into statement_file (run_id, kind, source, name, hash, content,
      line_count, imported_at, imported_by)
    select ${runId}, ${file.kind}, ${source}, ${file.name}, ${hash}, ${file.content}, ${file.lines.length}, ${at}, ${by}
    where not exists (select 1 from statement_file
      where run_id = ${runId} and (hash = ${hash} or ${file.kind} = 'bill' or kind in ('bill', ${file.kind})))
    returning id`.execute(tx)
  const id = made.rows[0]?.id
  if (id !== undefined) {
    await keepLines(tx, { id, runId }, file.lines)
    return 'new'
  }
  const same = await sql`select 1 from statement_file where run_id = ${runId} and hash = ${hash}`.execute(tx)
  return same.rows.length > 0 ? 'same' : 'other'
}
export type Kept = 'new' | 'same' | 'other'

async function keepLines(tx: Tx, file: { id: number; runId: number }, lines: readonly StatementLine[]): Promise<void> {
  if (lines.length === 0) return
  const numbered = lines.map((line, lineNo) => ({ ...line, lineNo }))
  await sql`insert into statement_line (file_id, run_id, line_no, kind, attempt_no, refund_no, channel_no, amount_fen,
      fee_fen, balance_fen, at)
    select ${file.id}, ${file.runId}, line_no, kind, attempt_no, refund_no, channel_no, amount_fen, fee_fen,
      balance_fen, at
    from ${rows('l', numbered, {
      lineNo: 'int',
      kind: 'text',
      attemptNo: 'text',
      refundNo: 'text',
      channelNo: 'text',
      amountFen: 'bigint',
      feeFen: 'bigint',
      balanceFen: 'bigint',
      at: 'timestamptz',
    })}`.execute(tx)
}
