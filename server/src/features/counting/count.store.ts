import { type CountState, type countScopes, countState } from '@aisle/contract/counting/count'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { CommandContext, Reader } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, sightOf } from '../../kernel/scope'
import { stateful } from '../../kernel/states'

/** @throws Refusal count.state */
export const counts = stateful('stockCount', 'state', countState, {
  versioned: true,
  refuse: ({ no }: HeldCount) => refuse('count.state', { no }),
})

export type HeldCount = {
  id: number
  no: string
  merchantId: number
  machineId: number
  machineCode: string
  scope: (typeof countScopes)[number]
  state: CountState
  openedAt: Date
  version: number
}
type Verb = keyof typeof countState.moves

/** Locked. @throws Refusal for one out of sight, and for a state from which the verb does not lead */
export async function holdCount(ctx: CommandContext, id: number, verb: Verb | null): Promise<HeldCount> {
  const found = await sql<HeldCount>`
    select c.id, c.no, m.merchant_id as "merchantId", c.machine_id as "machineId", m.code as "machineCode",
      c.scope, c.state, c.opened_at as "openedAt", c.version
    from stock_count c join machine m on m.id = c.machine_id
    where c.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`c.machine_id`)} for update of c`.execute(ctx.tx)
  const held = existing(found.rows[0])
  if (verb) counts.must(held, verb)
  return held
}

type Facts = Record<string, unknown> | null
type Deed = { verb: string; note?: string; before: Facts; after: Facts }

/** The row itself is moved by the caller; here its story and the audit. */
export async function record(
  ctx: CommandContext,
  { id, merchantId }: Pick<HeldCount, 'id' | 'merchantId'>,
  { verb, note = '', before, after }: Deed,
): Promise<void> {
  await sql`insert into stock_count_event (count_id, at, verb, user_id, note)
    values (${id}, ${ctx.now()}, ${verb}, ${ctx.actor.userId}, ${note})`.execute(ctx.tx)
  await ctx.audit({ merchantId, objectKind: 'stockCount', objectId: id, before, after })
}

export type LineRow = {
  id: number
  slotCode: string
  placeId: number
  productId: number
  batch: string | null
  isMedicine: boolean
  unitFen: number
  counted: number | null
  countedAt: Date | null
  countedBy: number | null
  needsSecond: boolean
  second: number | null
  secondAt: Date | null
  secondBy: number | null
  reason: string | null
}

export async function findLines(db: Reader, countId: number): Promise<LineRow[]> {
  const found = await sql<LineRow>`
    select l.id, l.slot_code as "slotCode", l.place_id as "placeId", l.product_id as "productId", l.batch,
      p.kind = 'medicine' as "isMedicine", coalesce(p.cost_fen, 0)::bigint as "unitFen", l.counted,
      l.counted_at as "countedAt", l.counted_by as "countedBy", l.needs_second as "needsSecond", l.second,
      l.second_at as "secondAt", l.second_by as "secondBy", l.reason
    from stock_count_line l join product p on p.id = l.product_id where l.count_id = ${countId}
    order by l.place_id, l.product_id, l.id`.execute(db)
  return found.rows
}

/** The second count is the one that holds. */
export const countInForce = (line: Pick<LineRow, 'counted' | 'countedAt' | 'second' | 'secondAt'>) =>
  line.second === null ? { found: line.counted, at: line.countedAt } : { found: line.second, at: line.secondAt }

type Asked = { id: number; placeId: number; productId: number; batch: string | null; at: Date }
export type Replayed = { id: number; inAll: number; ofBatch: number }

/**
 * What the books had at those moments: what they have now, less what has come since and with what has gone. Of a batch
 * in a slot it is what its layers come to, with what was taken of it under another name.
 */
export async function replay(db: Reader, asked: readonly Asked[]): Promise<Map<number, Replayed>> {
  if (asked.length === 0) return new Map()
  const found = await sql<Replayed>`
    select w.id, (coalesce((select v.quantity from stock_level v
        where v.place_id = w.place_id and v.product_id = w.product_id), 0)
      - coalesce(come.pieces, 0) + coalesce(gone.pieces, 0))::int as "inAll",
      (coalesce((select sum(y.quantity) from slot_layer y where y.place_id = w.place_id
          and y.product_id = w.product_id and y.batch is not distinct from w.batch), 0)
        - coalesce(come.of_batch, 0) + coalesce(gone.of_batch, 0) + coalesce((
          select sum(case when t.taken is not distinct from w.batch then t.quantity else -t.quantity end)
          from layer_taken t where t.place_id = w.place_id and t.product_id = w.product_id and t.moved_at > w.at
            and t.cause <> 'debt'
            and (t.taken is not distinct from w.batch or t.named is not distinct from w.batch)), 0))::int
        as "ofBatch"
    from ${rows('w', asked, { id: 'bigint', placeId: 'bigint', productId: 'bigint', batch: 'text', at: 'timestamptz' })}
    left join lateral (
      select sum(v.quantity) as pieces,
        sum(v.quantity) filter (where v.batch is not distinct from w.batch) as of_batch
      from stock_move v where v.to_place_id = w.place_id and v.moved_at > w.at and v.product_id = w.product_id
    ) come on true
    left join lateral (
      select sum(v.quantity) as pieces,
        sum(v.quantity) filter (where v.batch is not distinct from w.batch) as of_batch
      from stock_move v where v.from_place_id = w.place_id and v.moved_at > w.at and v.product_id = w.product_id
    ) gone on true`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

export type Judged = LineRow & {
  found: number
  at: Date
  /** By the books of its batch, or of the product where it stands alone in its place. */
  book: number
  difference: number
  costFen: number
  /** By how much the batches of its place come to more than the place. */
  rest: number
}

/** Each line that was counted, against the books of its moment. */
export async function judge(db: Reader, lines: readonly LineRow[]): Promise<Judged[]> {
  const counted = lines.flatMap((line) => {
    const { found, at } = countInForce(line)
    return found === null || at === null ? [] : [{ ...line, found, at }]
  })
  const groups = groupsOf(lines, counted)
  const books = await replay(db, counted)
  const together = await replay(db, [...groups.values()].flat())
  return counted.map((line) => {
    const { inAll = 0, ofBatch = 0 } = books.get(line.id) ?? {}
    const group = groups.get(keyOf(line)) ?? []
    const isAlone = group.length <= 1
    const book = isAlone ? inAll : ofBatch
    const parts = group.flatMap(({ id }) => together.get(id) ?? [])
    const rest = isAlone ? 0 : parts.reduce((sum, part) => sum + part.ofBatch, -(parts[0]?.inAll ?? 0))
    const difference = line.found - book
    return { ...line, book, rest, difference, costFen: difference * line.unitFen }
  })
}

/** What lies in one place under several batches, all at the last moment at which any of it was counted. */
function groupsOf(lines: readonly LineRow[], counted: readonly (LineRow & { at: Date })[]): Map<string, Asked[]> {
  const last = new Map<string, Date>()
  for (const line of counted) {
    const known = last.get(keyOf(line))
    if (!known || known < line.at) last.set(keyOf(line), line.at)
  }
  const groups = new Map<string, Asked[]>()
  for (const line of lines) {
    const at = last.get(keyOf(line))
    if (at) groups.set(keyOf(line), [...(groups.get(keyOf(line)) ?? []), { ...line, at }])
  }
  return groups
}

export const keyOf = ({ placeId, productId }: Pick<LineRow, 'placeId' | 'productId'>) => `${placeId}/${productId}`
