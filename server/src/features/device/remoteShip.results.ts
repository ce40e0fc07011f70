import type { MessageData } from '@aisle/contract/device/messages'
import { remoteShipState } from '@aisle/contract/device/remoteShip'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { type HandedOut, type Outcome, refused, type Reported, taken } from '../trade/public'
import type { Ended } from './command.store'
import { bookOutcome, lockShips, type ShipRow } from './remoteShip.store'

/** Every number of ours begins so; a machine's own may, too, and is told apart by the table. */
export const REMOTE_PREFIX = 'RS-'

type Said = Reported<{ orderNo: string }>
type Waiting<T> = { work: { outcome: Outcome | null }; report: Reported<T> }

/**
 * Messages about remote dispenses, told from those about orders by machine and number; the others are left.
 * @returns what came out of orders
 */
export async function takeRemoteShips(
  tx: Tx,
  receipts: readonly Waiting<MessageData<'vend.received'>>[],
  results: readonly Waiting<MessageData<'vend.result'>>[],
): Promise<HandedOut[]> {
  const ships = await findShips(
    tx,
    [...receipts, ...results].map(({ report }) => report),
  )
  const handedOut: HandedOut[] = []
  if (ships.size === 0) return handedOut
  for (const { work, report } of receipts) {
    const ship = shipOf(ships, report)
    if (ship) work.outcome = await takeReceipt(tx, ship, report)
  }
  for (const { work, report } of results) {
    const ship = shipOf(ships, report)
    if (!ship) continue
    const out = await takeResult(tx, ship, report)
    work.outcome = 'ok' in out ? out : taken
    if (!('ok' in out)) handedOut.push(...out)
  }
  return handedOut
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
  ship.state = remoteShipState.to('receive')
  await sql`update remote_ship set state = ${ship.state}, received_at = ${occurredAt}
    where id = ${ship.id}`.execute(tx)
  return taken
}

async function takeResult(
  tx: Tx,
  ship: ShipRow,
  { data, occurredAt: at }: Reported<MessageData<'vend.result'>>,
): Promise<Outcome | HandedOut[]> {
  if (data.index !== 0 || data.slot !== ship.slotCode) return refused('itemUnknown')
  const { ok: isOut, motorCode, sensorCode } = data
  return (await bookOutcome(tx, ship, { isOut, motorCode, sensorCode, at })) ?? refused('orderState')
}

const verbs = { refused: 'refuse', expired: 'expire', cancelled: 'expire', failed: 'lose' } as const

/** Ship commands that ended without a result: refused, never taken, or broken off while the motor turned. */
export async function loseRemoteShips(tx: Tx, all: readonly Ended[]): Promise<void> {
  const lost = all.flatMap((end) => {
    const verb = end.type === 'ship' && end.state !== 'done' && !end.isLate ? verbs[end.state] : null
    return verb ? [{ end, verb }] : []
  })
  if (lost.length === 0) return
  const ships = await sql<{ id: number; commandId: string; state: ShipRow['state'] }>`
    select id, command_id as "commandId", state from remote_ship
    where command_id = any(${lost.map(({ end }) => end.id)}::uuid[]) order by id for update`.execute(tx)
  for (const { id, commandId, state } of ships.rows) {
    const one = lost.find(({ end }) => end.id === commandId)
    if (!one || !remoteShipState.can(state, one.verb)) continue
    const detail = one.end.detail ?? (one.end.state === 'cancelled' ? 'cancelled' : null)
    await sql`update remote_ship set state = ${remoteShipState.to(one.verb)}, detail = ${detail?.slice(0, 120) ?? null},
      finished_at = ${one.end.at} where id = ${id}`.execute(tx)
  }
}
