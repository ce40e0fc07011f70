import { countSecond } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { grouped, must, only } from '../../kernel/must'
import { settingOf } from '../../kernel/settings'
import { holdCounted, type Move, nextNo, noteCounted, outsidePlaces, recordMoves } from '../stock/public'
import { needsSecond, type SecondLimits } from './count.rules'
import { keyOf, replay } from './count.store'
import { putSheet } from './sheet.store'

type Machine = { id: number; merchantId: number }
/** What a machine says was found in a slot of its own. */
type Reported = {
  machine: Machine
  slot: string
  placeId: number
  productId: number
  unitFen: number
  isMedicine: boolean
  stock: number
  counted: number
  at: Date
}
type Judged = Reported & { book: number; difference: number }

/**
 * What was counted at a machine and told by it. What differs little is booked as a person's count is, by the difference
 * at that moment; what differs much, and any piece of a medicine, is asked of people, who count without knowing either
 * figure.
 */
export async function takeReported(tx: Tx, reports: readonly Reported[], now: Date): Promise<void> {
  if (reports.length === 0) return
  const judged = await judge(tx, await newest(tx, reports))
  for (const own of grouped(judged, ({ machine }) => machine.id).values()) {
    const { machine } = must(own[0], 'a report')
    const limits = await limitsOf(tx, machine.merchantId)
    const isMuch = (each: Judged) => needsSecond({ ...each, costFen: each.difference * each.unitFen }, limits)
    await post(
      tx,
      machine,
      own.filter((each) => !isMuch(each)),
      now,
    )
    await askCounts(tx, machine, own.filter(isMuch).map(askedOf), now)
  }
}

const askedOf = (report: Judged) => ({ ...report, note: `${report.slot} ${report.counted}` })

/** No share: of a slot of ten every piece would be too many, and somebody would have to drive there. */
const limitsOf = async (tx: Tx, merchantId: number): Promise<SecondLimits> => ({
  pieces: await settingOf(tx, countSecond.pieces, merchantId),
  percent: Number.POSITIVE_INFINITY,
  fen: await settingOf(tx, countSecond.fen, merchantId),
})

/** One of a slot and product, and none that a later count has overtaken; nobody moves goods there from here on. */
async function newest(tx: Tx, known: readonly Reported[]): Promise<Reported[]> {
  const counted = await holdCounted(tx, known)
  const last = new Map<string, Reported>()
  for (const each of known) if (each.at >= (last.get(keyOf(each))?.at ?? new Date(0))) last.set(keyOf(each), each)
  return [...last.values()].filter((each) => each.at > (counted.get(keyOf(each)) ?? new Date(0)))
}

async function judge(tx: Tx, known: readonly Reported[]): Promise<Judged[]> {
  const books = await replay(
    tx,
    known.map(({ placeId, productId, at }, id) => ({ id, placeId, productId, batch: null, at })),
  )
  return known.map((each, id) => {
    const { inAll: book } = must(books.get(id), 'the books of a slot')
    return { ...each, book, difference: each.counted - book }
  })
}

/** A count that is over as soon as it is told. */
async function post(tx: Tx, { id: machineId, merchantId }: Machine, reports: readonly Judged[], now: Date) {
  if (reports.length === 0) return
  const no = await nextNo(tx, merchantId, 'PD', now)
  const times = reports.map(({ at }) => at.getTime())
  const made = await sql<{ id: number }>`
    insert into stock_count (merchant_id, no, machine_id, scope, state, opened_at, counted_at, posted_at)
    values (${merchantId}, ${no}, ${machineId}, 'machine', 'posted', ${new Date(Math.min(...times))},
      ${new Date(Math.max(...times))}, ${now}) returning id`.execute(tx)
  const { id } = only(made)
  const lines = await putLines(tx, id, reports)
  await note(tx, id, 'said', reports.map((report) => askedOf(report).note).join(' · '), now)
  const scrapPlaceId = must((await outsidePlaces(tx, 'scrap', [merchantId])).get(merchantId), 'place of scrap')
  const settled = reports.map((report) => {
    const { placeId, productId, at, difference } = report
    const reference = `count/${id}/${must(lines.get(keyOf(report)), 'its line')}`
    return { merchantId, placeId, productId, scrapPlaceId, at, reference, difference }
  })
  const moves = settled.map(({ placeId, productId, at: movedAt, reference, difference }): Move => {
    const [fromPlaceId, toPlaceId] = difference > 0 ? [scrapPlaceId, placeId] : [placeId, scrapPlaceId]
    const quantity = Math.abs(difference)
    return { merchantId, movedAt, productId, quantity, fromPlaceId, toPlaceId, cause: 'count', reference, batch: null }
  })
  await recordMoves(
    tx,
    moves.filter(({ quantity }) => quantity > 0),
  )
  await noteCounted(tx, settled)
}

async function putLines(tx: Tx, countId: number, reports: readonly Judged[]): Promise<Map<string, number>> {
  const given = reports.map(({ slot, placeId, productId, counted, at, book, difference, unitFen }) => ({
    slot,
    placeId,
    productId,
    counted,
    at,
    book,
    difference,
    costFen: difference * unitFen,
  }))
  const made = await sql<{ id: number; placeId: number; productId: number }>`
    insert into stock_count_line (count_id, is_open, slot_code, place_id, product_id, counted, counted_at, book, delta,
      cost_fen)
    select ${countId}, false, w.* from ${rows('w', given, {
      slot: 'text',
      placeId: 'bigint',
      productId: 'bigint',
      counted: 'int',
      at: 'timestamptz',
      book: 'int',
      difference: 'int',
      costFen: 'bigint',
    })} returning id, place_id as "placeId", product_id as "productId"`.execute(tx)
  return new Map(made.rows.map((line) => [keyOf(line), line.id]))
}

/** A slot about which a machine and the books contradict each other, and what the machine says. */
export type Asked = { slot: string; placeId: number; productId: number; stock: number; note: string }

/**
 * People are to count these slots. Where a count of one is open already, it is that one; what the machine says stands
 * in its story, which whoever counts blind does not see.
 */
export async function askCounts(tx: Tx, machine: Machine, asked: readonly Asked[], now: Date): Promise<void> {
  const slots = [...new Map(asked.map((each) => [keyOf(each), { ...each, code: each.slot }])).values()]
  if (slots.length === 0) return
  const open = await openCounts(tx, slots)
  const missing = slots.filter((slot) => !open.has(keyOf(slot)))
  const id = missing.length > 0 ? await putSheet(tx, machine, 'machine', { by: null, at: now }, missing) : null
  for (const [countId, own] of grouped(slots, (slot) => open.get(keyOf(slot)) ?? id)) {
    await note(tx, must(countId, 'its count'), 'said', own.map((slot) => slot.note).join(' · '), now)
  }
}

async function openCounts(tx: Tx, slots: readonly Asked[]): Promise<Map<string, number>> {
  const found = await sql<{ placeId: number; productId: number; countId: number }>`
    select l.place_id as "placeId", l.product_id as "productId", max(l.count_id) as "countId"
    from ${rows('w', slots, { placeId: 'bigint', productId: 'bigint' })}
    join stock_count_line l on l.place_id = w.place_id and l.product_id = w.product_id and l.is_open
    group by 1, 2`.execute(tx)
  return new Map(found.rows.map((line) => [keyOf(line), line.countId]))
}

const note = (tx: Tx, countId: number, verb: string, text: string, at: Date) =>
  sql`insert into stock_count_event (count_id, at, verb, note) values (${countId}, ${at}, ${verb}, ${text})`.execute(tx)
