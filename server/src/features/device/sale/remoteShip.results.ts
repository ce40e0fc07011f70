import { commandState } from '@aisle/contract/device/commands'
import type { MessageData } from '@aisle/contract/device/messages'
import { remoteShipState } from '@aisle/contract/device/remoteShip'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import { type Books, type Outcome, refused, type Reported, taken } from '../../trade/public'
import type { Ended } from '../command/command.store'
import { heardOf, type Step } from '../link/batch'
import { bookOutcome, lockShips, remoteShips, type ShipRow } from './remoteShip.store'

/** Every number of ours begins so; a machine's own may, too, and is told apart by the table. */
export const REMOTE_PREFIX = 'RS-'

type Said = Reported<{ orderNo: string }>

/** Messages about remote dispenses, told from those about orders by machine and number; the others are left. */
export const takeRemoteShips: Step = async (tx, batch, books) => {
  const receipts = heardOf(batch, 'vend.received')
  const results = heardOf(batch, 'vend.result')
  const ships = await findShips(tx, [...receipts, ...results])
  if (ships.size === 0) return
  for (const heard of receipts) {
    const ship = shipOf(ships, heard)
    if (ship) heard.work.outcome = await takeReceipt(tx, ship, heard)
  }
  for (const heard of results) {
    const ship = shipOf(ships, heard)
    if (ship) heard.work.outcome = await takeResult(tx, books, ship, heard)
  }
}

async function findShips(tx: Tx, said: readonly Said[]): Promise<Map<string, ShipRow>> {
  const named = said
    .filter(({ data }) => data.orderNo.startsWith(REMOTE_PREFIX))
    .map(({ machine, data }) => ({ machineId: machine.id, orderNo: data.orderNo }))
  if (named.length === 0) return new Map()
  const ships = await lockShips(
    tx,
    sql`(r.machine_id, r.order_no) in (select * from ${rows('n', named, { machineId: 'bigint', orderNo: 'text' })})`,
  )
  return new Map(ships.map((ship) => [keyOf(ship.machineId, ship.machineOrderNo), ship]))
}

const keyOf = (machineId: number, orderNo: string) => `${machineId}/${orderNo}`
const shipOf = (ships: ReadonlyMap<string, ShipRow>, { machine, data }: Said): ShipRow | undefined =>
  ships.get(keyOf(machine.id, data.orderNo))

/** The machine has it on its disk; its motor has not turned yet. */
async function takeReceipt(tx: Tx, ship: ShipRow, { occurredAt }: Said): Promise<Outcome> {
  if (!remoteShipState.can(ship.state, 'receive')) return taken
  ship.state = await remoteShips.move(tx, ship, 'receive', { receivedAt: occurredAt })
  return taken
}

async function takeResult(
  tx: Tx,
  books: Books,
  ship: ShipRow,
  { data, occurredAt: at }: Reported<MessageData<'vend.result'>>,
): Promise<Outcome> {
  if (data.index !== 0 || data.slot !== ship.slotCode) return refused('itemUnknown')
  const { ok: isOut, motorCode, sensorCode } = data
  const isBooked = await bookOutcome(tx, books, ship, { isOut, motorCode, sensorCode, at })
  return isBooked ? taken : refused('orderState')
}

const verbs = { done: null, refused: 'refuse', expired: 'expire', cancelled: 'expire', failed: 'lose' } as const

/** Ship commands that ended without a result: refused, never taken, or broken off while the motor turned. */
export async function loseRemoteShips(tx: Tx, all: readonly Ended[]): Promise<void> {
  const lost = all.flatMap((end) => {
    const verb = end.type === 'ship' && !end.isLate ? verbs[end.state] : null
    return verb ? [{ end, verb }] : []
  })
  if (lost.length === 0) return
  const ships = await sql<{ id: number; commandId: string; state: ShipRow['state'] }>`
    select id, command_id as "commandId", state from remote_ship
    where command_id = any(${lost.map(({ end }) => end.id)}::uuid[]) order by id for update`.execute(tx)
  for (const ship of ships.rows) {
    const one = lost.find(({ end }) => end.id === ship.commandId)
    if (!one || !remoteShipState.can(ship.state, one.verb)) continue
    const detail = one.end.detail ?? (commandState.is(one.end.state, 'cancelled') ? 'cancelled' : null)
    await remoteShips.move(tx, ship, one.verb, { detail: detail?.slice(0, 120) ?? null, finishedAt: one.end.at })
  }
}
