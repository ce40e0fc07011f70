import { randomUUID } from 'node:crypto'
import {
  type concludeRemoteShip,
  type previewRemoteShip,
  type remoteShip,
  remoteShipState,
} from '@aisle/contract/device/remoteShip'
import type { MedicineClass } from '@aisle/contract/catalog/product'
import type { Connection } from '@aisle/contract/fleet/states'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import { businessTime } from '../../../kernel/businessDay'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext, QueryContext, Reader } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, type Sight, sightOf } from '../../../kernel/scope'
import { word } from '../../../kernel/words'
import { checkMedicines } from '../../pharmacy/public'
import { type Books, findDue, lockByNumbers, withBooks } from '../../trade/public'
import { queueCommands } from '../command/command.store'
import { REMOTE_PREFIX } from './remoteShip.results'
import { itemFor, type OrderDue, type ShipRefusal, shipRefusal } from './remoteShip.rules'
import { bookOutcome, lockShips } from './remoteShip.store'
import { connectionOf } from '../command/target.reads'
import { statesIn } from '../../../kernel/states'

type Asked = Pick<InputOf<typeof remoteShip>, 'id' | 'slot' | 'orderNo'>

type Facts = {
  id: number
  code: string
  name: string
  pointName: string
  merchantId: number
  isRetired: boolean
  connection: Connection
  licenceMode: 'none' | 'retail' | 'hospital'
  timeZone: string
  slotCode: string | null
  placeId: number | null
  stock: number
  fault: string | null
  isLocked: boolean
  priceFen: number | null
  productId: number | null
  productName: string | null
  picture: string | null
  costFen: number | null
  medicineClass: MedicineClass | null
}

type Looked = { facts: Facts; orderId: number | null; itemIndex: number | null; refusal: ShipRefusal | null }

/** The second look and the command judge the same facts by the same rule. */
async function look(db: Reader, sight: Sight, asked: Asked, now: Date): Promise<Looked | undefined> {
  const found = await sql<Facts>`
    select m.id, m.code, m.name, point.name as "pointName", m.merchant_id as "merchantId",
      m.retired_at is not null as "isRetired", ${connectionOf(now)} as connection, m.licence_mode as "licenceMode",
      m.time_zone as "timeZone",
      l.code as "slotCode", l.place_id as "placeId", coalesce(level.quantity, 0) as stock, l.fault,
      coalesce(l.is_locked, false) as "isLocked",
      l.price_fen as "priceFen", l.product_id as "productId", p.name as "productName", p.picture,
      p.cost_fen as "costFen", p.medicine_class as "medicineClass"
    from machine m join machine_state s on s.machine_id = m.id join point on point.id = m.point_id
    left join slot l on l.machine_id = m.id and l.code = ${asked.slot}
    left join product p on p.id = l.product_id
    left join stock_level level on level.place_id = l.place_id and level.product_id = l.product_id
    where m.id = ${asked.id} and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  const [facts] = found.rows
  if (!facts) return undefined
  const due = asked.orderNo ? ((await findDue(db, sight, asked.orderNo)) ?? null) : undefined
  const order: OrderDue | null | undefined = due ? { ...due, underWay: await underWay(db, due.orderId) } : due
  const slot =
    facts.slotCode === null ? null : { ...facts, medicine: await medicineRefusal(db, facts, due?.orderId, now) }
  const itemIndex = order ? itemFor(order, facts.productId) : null
  return { facts, orderId: due?.orderId ?? null, itemIndex, refusal: shipRefusal({ machine: facts, slot, order }) }
}

/** What holds for medicine that an order asks for holds for what a person lets out, too. */
async function medicineRefusal(
  db: Reader,
  { id, merchantId, placeId, productId, medicineClass, timeZone, licenceMode }: Facts,
  orderId: number | undefined,
  now: Date,
): Promise<'batchNotForSale' | 'prescriptionMissing' | null> {
  if (medicineClass === null || placeId === null || productId === null) return null
  const machine = { id, merchantId, timeZone, licenceMode }
  const items = [{ placeId, productId, medicineClass, priceFen: 0 }]
  const { day: businessDay } = businessTime(now, timeZone)
  // What an order was sold on was asked for when it was.
  const prescription = orderId === undefined ? null : ''
  const ask = { machine, prescription, person: null, items, at: now, receivedAt: now, businessDay }
  const why = (await checkMedicines(db, [ask])).get(ask)
  return why === undefined || why === 'batchNotForSale' ? (why ?? null) : 'prescriptionMissing'
}

async function underWay(db: Reader, orderId: number): Promise<number[]> {
  const found = await sql<{ index: number }>`select item_index as index from remote_ship
    where order_id = ${orderId} and item_index is not null
      and state in ${statesIn(remoteShipState, 'perhapsOut')}`.execute(db)
  return found.rows.map(({ index }) => index)
}

export async function preview(
  ctx: QueryContext,
  asked: InputOf<typeof previewRemoteShip>,
): Promise<OutputOf<typeof previewRemoteShip>> {
  const looked = existing(await look(ctx.db, sightOf(ctx.actor), asked, ctx.now()))
  const { facts, itemIndex, refusal: why } = looked
  const { code: machineCode, name: machineName, pointName, productName, picture, stock, priceFen, costFen } = facts
  const about = { machineCode, machineName, pointName, slot: asked.slot, productName, picture }
  const words = why && { code: why, msg: word(ctx.language, 'device', `refusal.${why}`, varsOf(facts, asked)) }
  return { ...about, stock, priceFen, costFen, itemIndex, refusal: words }
}

const varsOf = ({ code }: Facts, { slot, orderNo }: Asked) => ({ code, slot, orderNo })

/**
 * One piece, once: the number under which the machine hears of it is ours, and a machine turns a motor once a number.
 * It is answered before it is sent; what came out is told by the machine.
 */
export async function shipOne(ctx: CommandContext, input: InputOf<typeof remoteShip>): Promise<{ id: number }> {
  // Its refunds are approved with the order locked: money and goods can't both set out.
  if (input.orderNo) await lockByNumbers(ctx.tx, [input.orderNo])
  const looked = existing(await look(ctx.tx, sightOf(ctx.actor), input, ctx.now()))
  const { facts, orderId, itemIndex } = looked
  if (looked.refusal) refuse(looked.refusal, varsOf(facts, input))
  const { id: machineId, merchantId } = facts
  const cmdId = randomUUID()
  const orderNo = `${REMOTE_PREFIX}${cmdId.replaceAll('-', '').slice(0, 20)}`
  const made = await refusedBy(
    'remote_ship_item',
    sql<{ id: number }>`insert into remote_ship (merchant_id, machine_id, slot_code, place_id, product_id, order_no,
        command_id, order_id, item_index, cost_fen, customer, reason, created_by, created_at)
      values (${merchantId}, ${machineId}, ${input.slot}, ${facts.placeId}, ${facts.productId}, ${orderNo}, ${cmdId},
        ${orderId}, ${itemIndex}, ${facts.costFen ?? 0}, ${input.customer}, ${input.reason}, ${ctx.actor.userId},
        ${ctx.now()}) returning id`.execute(ctx.tx),
    () => refusal('remoteShip.again', varsOf(facts, input)),
  )
  const id = only(made).id
  const data = { orderNo, items: [{ index: 0, slot: input.slot }] }
  const about = { merchantId, machineId, reason: input.reason, createdBy: ctx.actor.userId }
  await queueCommands(ctx.tx, [{ id: cmdId, type: 'ship', data, ...about }], ctx.now())
  await ctx.audit({
    merchantId,
    objectKind: 'remoteShip',
    objectId: id,
    before: null,
    after: {
      machine: facts.code,
      slot: input.slot,
      product: facts.productName,
      orderNo: input.orderNo || null,
      customer: input.customer,
      costFen: facts.costFen,
      reason: input.reason,
    },
  })
  await announce(ctx.tx, { topic: 'commands', machineIds: [machineId] })
  return { id }
}

/** A person went and looked: only for what nobody knows, and it moves the stock as the machine's own word would. */
export const conclude = (ctx: CommandContext, input: InputOf<typeof concludeRemoteShip>): Promise<{ id: number }> =>
  withBooks(ctx.tx, ctx.now(), (books) => concludeWith(ctx, books, input))

async function concludeWith(
  ctx: CommandContext,
  books: Books,
  input: InputOf<typeof concludeRemoteShip>,
): Promise<{ id: number }> {
  const { id, isOut, reason } = input
  const sight = sightOf(ctx.actor)
  const ship = existing((await lockShips(ctx.tx, sql`r.id = ${id} and ${machineInSight(sight, sql`r.machine_id`)}`))[0])
  if (!remoteShipState.is(ship.state, 'unknown')) refuse('remoteShip.known')
  const before = ship.state
  const codes = { motorCode: null, sensorCode: null }
  await bookOutcome(ctx.tx, books, ship, { isOut, ...codes, at: ctx.now(), detail: reason })
  await ctx.audit({
    merchantId: ship.merchantId,
    objectKind: 'remoteShip',
    objectId: id,
    before: { state: before },
    after: { state: ship.state, reason },
  })
  await announce(ctx.tx, { topic: 'answers', machineIds: [ship.machineId] })
  return { id }
}
