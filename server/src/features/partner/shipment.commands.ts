import { createHash } from 'node:crypto'
import { MOST_PIECES, type ShipmentRequest } from '@aisle/contract/partner/open'
import { languageFrom } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { Services, Tx } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { announceShipments } from '../device/public'
import { countUse } from '../merchant/public'
import {
  type Books,
  findMachinesById,
  holdPromised,
  openForPartner,
  type Promised,
  promisedBeside,
  withBooks,
} from '../trade/public'
import { word } from '../../kernel/words'
import type { Caller } from '../events/public'
import { choosePieces, type Stocked } from './pieces.rules'

type Answer = {
  requestNo: string
  orderNo: string
  machine: string
  items: { index: number; slot: string; product: string }[]
  acceptedAt: string
}
type Call = { body: string; ip: string; headers: Readonly<Record<string, string>>; asked: ShipmentRequest }

/**
 * Takes a request once: of calls with the same number the first makes the order, the others wait for it and are
 * answered what it was answered. One use of the interface, one order, one ship command, or none of it.
 * @throws Refusal for another body under a number that was used
 */
export function acceptShipment(services: Services, caller: Caller, call: Call): Promise<Answer> {
  const { asked, body } = call
  const hash = createHash('sha256').update(body).digest()
  const now = services.clock.now()
  return services.db.transaction().execute(async (tx) => {
    // One at a time for a number, also before there is a row that could be locked.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`partner/${caller.id}/${asked.requestNo}`}, 0))`.execute(
      tx,
    )
    const before = await findBefore(tx, caller.id, asked.requestNo)
    if (before)
      return before.hash.equals(hash) ? before.answer : refuse('shipment.reused', { requestNo: asked.requestNo })
    const machineId = await machineOf(tx, caller, asked.machine, now)
    await countUse(tx, services.keys, caller.id, now)
    return withBooks(tx, now, (books) => open(tx, books, { caller, call, machineId, hash, now }))
  })
}

async function open(
  tx: Tx,
  books: Books,
  { caller, call, machineId, hash, now }: { caller: Caller; call: Call; machineId: number; hash: Buffer; now: Date },
): Promise<Answer> {
  const { asked, body, ip, headers } = call
  const machine = (await findMachinesById(tx, [machineId])).get(machineId) ?? refuse('shipment.noMachine')
  const promised = promisedBeside(await holdPromised(tx, [machineId]))
  const slots = choosePieces(asked.items, await stockOf(tx, machineId, promised))
  if ('product' in slots) return refuse('shipment.noProduct', { product: slots.product, machine: machine.code })
  if (slots.codes.length > MOST_PIECES) refuse('shipment.tooMany', { most: MOST_PIECES })
  const made = await openForPartner(tx, books, {
    machine,
    requestNo: asked.requestNo,
    slots: slots.codes,
    promised,
    at: now,
  })
  if ('refused' in made) {
    const reason = word(languageFrom(headers['accept-language']), 'device', `messageRefusal.${made.refused}`)
    return refuse('shipment.refused', { reason, code: made.refused })
  }
  const { toShip, orderId, orderNo } = made
  const items = made.items.map(({ index, slotCode, productCode }) => ({ index, slot: slotCode, product: productCode }))
  const answer = { requestNo: asked.requestNo, orderNo, machine: machine.code, items, acceptedAt: now.toISOString() }
  await sql`insert into partner_request (config_id, merchant_id, machine_id, request_no, body_hash, body, answer,
      order_id, order_no, ip, created_at)
    values (${caller.id}, ${machine.merchantId}, ${machine.id}, ${asked.requestNo}, ${hash}, ${body.slice(0, 8000)},
      ${JSON.stringify(answer)}::json, ${orderId}, ${orderNo}, ${ip}, ${now})`.execute(tx)
  await announceShipments(tx, toShip, now)
  await announce(tx, { topic: 'orders', machineIds: [machine.id] })
  return answer
}

async function findBefore(tx: Tx, configId: number, requestNo: string) {
  const found = await sql<{ hash: Buffer; answer: Answer }>`select body_hash as hash, answer from partner_request
    where config_id = ${configId} and request_no = ${requestNo}`.execute(tx)
  return found.rows[0]
}

/** Of the interface's own machine, or of any of its merchant's; one that does not listen now ships nothing. */
async function machineOf(tx: Tx, caller: Caller, code: string, now: Date): Promise<number> {
  const found = await sql<{ id: number; online: boolean }>`
    select m.id,
      coalesce(s.is_connected and s.last_seen_at > ${now}::timestamptz - interval '5 minutes', false) as online
    from machine m left join machine_state s on s.machine_id = m.id
    where m.code = ${code} and m.merchant_id = ${caller.merchantId} and m.retired_at is null
      and (${caller.machineId}::bigint is null or m.id = ${caller.machineId})`.execute(tx)
  const machine = found.rows[0] ?? refuse('shipment.noMachine', { machine: code })
  if (!machine.online) refuse('shipment.machineOffline', { machine: code })
  return machine.id
}

async function stockOf(tx: Tx, machineId: number, promised: Promised): Promise<Stocked[]> {
  type Row = Stocked & { id: number }
  const found = await sql<Row>`select s.id, s.code, p.code as product, coalesce(l.quantity, 0) as stock
    from slot s left join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where s.machine_id = ${machineId} order by s.code`.execute(tx)
  return found.rows.map(({ id, stock, ...slot }) => ({ ...slot, stock: stock - (promised.get(id) ?? 0) }))
}
