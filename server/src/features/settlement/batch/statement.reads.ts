import { getStatement, MOST_STATEMENT_LINES } from '@aisle/contract/settlement/batch'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import { existing, refuse } from '../../../kernel/refuse'
import { sightOf } from '../../../kernel/scope'
import { settledInSight } from './batch.store'
import { word } from '../../../kernel/words'
import { settledItems } from './item.reads'

const yuan = (column: string) => sql`coalesce(to_char(${sql.ref(column)} / 100.0, 'FM9999999999990.00'), '')`

/**
 * Numbers and digits alone, so that a line reads the same in every language; none of them holds a comma. What others
 * share stands last and only where there is some: what was issued before keeps its checksum.
 */
const lines = (id: number) => sql`select id, concat_ws(',', "orderNo", coalesce("refundNo", ''),
    to_char(occurred_at at time zone ${sql.lit(PLATFORM_TIME_ZONE)}, 'YYYY-MM-DD HH24:MI:SS'),
    ${yuan('totalFen')}, ${yuan('discountFen')}, ${yuan('grossFen')}, ${yuan('refundFen')}, ${yuan('channelFeeFen')},
    ${yuan('functionFeeFen')}, ${yuan('taxFen')}, ${yuan('netFen')},
    case when "splitFen" > 0 then ${yuan('splitFen')} end) || e'\\r\\n' as line
  from (${settledItems(sql`i.settlement_id = ${id}`)}) item`

type Sum = { hash: string; lines: number }

/** Of what was settled nothing changes, so the sum is the same whenever it is asked for. */
export async function statementSum(db: Reader, id: number): Promise<Sum> {
  return only(
    await sql<Sum>`select encode(sha256(convert_to(coalesce(string_agg(line, '' order by id), ''), 'UTF8')), 'hex')
        as hash, count(*)::int as lines from (${lines(id)}) l`.execute(db),
  )
}

const columns = [
  'orderNo',
  'refundNo',
  'occurredAt',
  'totalFen',
  'discountFen',
  'grossFen',
  'refundFen',
  'channelFeeFen',
  'functionFeeFen',
  'taxFen',
  'netFen',
  'splitFen',
] as const
const FIRST_AMOUNT = 3
const BOM = '\ufeff'

/** The heading stands apart: what follows it is what the checksum is of. */
export async function statement(
  ctx: QueryContext,
  { id, format }: InputOf<typeof getStatement>,
): Promise<OutputOf<typeof getStatement>> {
  const found = await sql<{ day: string; method: string }>`select to_char(s.business_day, 'YYYY-MM-DD') as day, s.method
    from settlement s where s.id = ${id} and ${settledInSight(sightOf(ctx.actor), sql`s.merchant_id`)}`.execute(ctx.db)
  const { day, method } = existing(found.rows[0])
  const sum = await statementSum(ctx.db, id)
  if (sum.lines > MOST_STATEMENT_LINES) refuse('settlement.tooLong', { most: MOST_STATEMENT_LINES })
  const told = await sql<{ id: number; line: string }>`${lines(id)} order by id`.execute(ctx.db)
  const heading = columns.map((name) => word(ctx.language, 'settlement', `field.${name}`))
  const texts = told.rows.map(({ line }) => line)
  const bytes = format === 'csv' ? csv(heading, texts) : await xlsx(heading, texts, sum.hash)
  return { name: `${day}-${method}-${id}.${format}`, ...sum, content: Buffer.from(bytes).toString('base64') }
}

const csv = (heading: readonly string[], texts: readonly string[]) =>
  Buffer.from(`${BOM}${heading.join(',')}\r\n${texts.join('')}`)

/** The same cells; the sheet is named by the beginning of the checksum, which stands whole in its title. */
async function xlsx(heading: readonly string[], texts: readonly string[], hash: string): Promise<Uint8Array> {
  const cells = texts.map((text) =>
    text
      .trimEnd()
      .split(',')
      .map((cell, at) => (at < FIRST_AMOUNT || cell === '' ? cell : Number(cell))),
  )
  return writeXlsx({
    properties: { title: `SHA-256 ${hash}` },
    sheets: [{ name: hash.slice(0, 16), rows: [[...heading], ...cells], freezePane: { rows: 1 } }],
  })
}
