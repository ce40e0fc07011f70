import { randomUUID } from 'node:crypto'
import { priceChangeState, pricedState, type SkipReason } from '@aisle/contract/planogram/priceChange'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { Tx } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { statesFrom } from '../../../kernel/states'
import { queueCommands } from '../../device/public'
import { raisePlans, setSlotPrices } from '../../fleet/public'
import { memberFen, shownFen, struckFen } from '../../promotion/public'
import { type Priced, priceData } from '../push.rules'
import { PRICE_CHANGE_JOB } from './change.commands'
import { announceChange, type Held, priceChanges } from './change.store'
import { findUnlawful } from './choice.reads'

/** So few that a person who edits one of them waits no longer than for another person. */
const MACHINES_AT_ONCE = 25

/** May run twice: a machine had its turn in the transaction that says so, and a slot is changed by what it costs. */
export const jobs: readonly Job[] = [
  {
    name: PRICE_CHANGE_JOB,
    run: async ({ db, clock }, { changeId }) => {
      const bunch = () => db.transaction().execute((tx) => takeBunch(tx, Number(changeId), clock.now()))
      while (await bunch());
    },
  },
]

type Change = Pick<Held, 'id' | 'merchantId' | 'state' | 'reason'> & { asker: number }
type Line = {
  id: number
  machineId: number
  slotId: number
  slotCode: string
  productId: number
  isNext: boolean
} & Record<'fromFen' | 'toFen', number | null>

/** @returns whether others may wait */
async function takeBunch(tx: Tx, changeId: number, now: Date): Promise<boolean> {
  const found = await sql<Change>`select c.id, c.merchant_id as "merchantId", c.state, c.reason,
      coalesce(c.undone_by, c.applied_by, c.created_by) as asker
    from price_change c where c.id = ${changeId} for update`.execute(tx)
  const [change] = found.rows
  if (!change || !priceChangeState.is(change.state, 'running')) return false
  const isUndo = priceChangeState.is(change.state, 'undoing')
  const machines = await takeMachines(tx, changeId)
  if (machines.length === 0) {
    await priceChanges.move(tx, change, isUndo ? 'finishUndo' : 'finish')
    await announceChange(tx, change.merchantId, [])
    return false
  }
  await setPrices(tx, { change, machines, isUndo, now })
  return true
}

type Machine = { id: number; merchantId: number; isRetired: boolean }

/** Held like by who edits a cabinet, in one order. */
async function takeMachines(tx: Tx, changeId: number): Promise<Machine[]> {
  const found = await sql<Machine>`select m.id, m.merchant_id as "merchantId", m.retired_at is not null as "isRetired"
    from machine m where m.id in (select machine_id from price_change_machine
      where change_id = ${changeId} and is_waiting order by machine_id limit ${sql.lit(MACHINES_AT_ONCE)})
    order by m.id for update of m`.execute(tx)
  return found.rows
}

type Bunch = { change: Change; machines: readonly Machine[]; isUndo: boolean; now: Date }

async function setPrices(tx: Tx, { change, machines, isUndo, now }: Bunch): Promise<void> {
  const ids = machines.map(({ id }) => id)
  const lines = await findLines(tx, change.id, ids, isUndo)
  const unlawful = await findUnlawful({ tx }, ids)
  const may = new Set(machines.filter(({ id, isRetired }) => !isRetired && !unlawful.has(id)).map(({ id }) => id))
  const wanted = lines.filter(({ machineId }) => may.has(machineId))
  const changed = new Set(
    await setSlotPrices(
      tx,
      wanted.filter(({ isNext }) => !isNext),
      'now',
    ),
  )
  const awaited = new Set(
    await setSlotPrices(
      tx,
      wanted.filter(({ isNext }) => isNext),
      'next',
    ),
  )
  const whyOf = ({ machineId }: Line): SkipReason => (unlawful.has(machineId) ? 'machineUnlawful' : 'meanwhile')
  const [verb, other] = isUndo ? (['undo', 'keep'] as const) : (['set', 'skip'] as const)
  const outcomes = lines.map((line) =>
    (line.isNext ? awaited : changed).has(line.slotId)
      ? { id: line.id, state: pricedState.to(verb), why: null }
      : { id: line.id, state: pricedState.to(other), why: whyOf(line) },
  )
  await sql`update price_change_slot l set state = w.state, why = w.why
    from ${rows('w', outcomes, { id: 'bigint', state: 'text', why: 'text' })} where l.id = w.id`.execute(tx)
  const prices = await findShown(tx, [...changed])
  const told = machines.flatMap((machine) => {
    const own = prices.filter(({ machineId }) => machineId === machine.id)
    return own.length > 0 ? [{ machine, prices: own }] : []
  })
  await tell(tx, { change, isUndo, now, told, ids })
  await announceChange(tx, change.merchantId, ids)
}

type Telling = Omit<Bunch, 'machines'> & {
  told: readonly { machine: Machine; prices: ShownPrice[] }[]
  ids: readonly number[]
}

async function tell(tx: Tx, { change, isUndo, now, told, ids }: Telling): Promise<void> {
  const commands = told.map(({ machine, prices }) => ({
    id: randomUUID(),
    merchantId: machine.merchantId,
    machineId: machine.id,
    type: 'push_prices' as const,
    data: priceData(prices),
    reason: change.reason,
    createdBy: change.asker,
  }))
  if (commands.length > 0)
    await raisePlans(
      tx,
      commands.map(({ machineId }) => machineId),
    )
  await queueCommands(tx, commands, now)
  const column = sql.ref(isUndo ? 'undo_command' : 'set_command')
  await sql`update price_change_machine m set is_waiting = false, ${column} = w.id
    from unnest(${[...ids]}::bigint[]) as taken(machine_id)
    left join ${rows('w', commands, { id: 'uuid', machineId: 'bigint' })} on w.machine_id = taken.machine_id
    where m.change_id = ${change.id} and m.machine_id = taken.machine_id`.execute(tx)
}

async function findLines(tx: Tx, changeId: number, machineIds: readonly number[], isUndo: boolean): Promise<Line[]> {
  const sides = isUndo
    ? sql`after_fen as "fromFen", before_fen as "toFen"`
    : sql`before_fen as "fromFen", after_fen as "toFen"`
  const found = await sql<Line>`select id, machine_id as "machineId", slot_id as "slotId", slot_code as "slotCode",
      product_id as "productId", is_next as "isNext", ${sides}
    from price_change_slot where change_id = ${changeId} and machine_id = any(${[...machineIds]}::bigint[])
      and state in ${statesFrom(pricedState, isUndo ? 'undo' : 'set')} order by slot_id`.execute(tx)
  return found.rows
}

type ShownPrice = Priced & { machineId: number }

/** What is asked of customers: a slot that is marked down stays so, from its new price. */
async function findShown(tx: Tx, slotIds: readonly number[]): Promise<ShownPrice[]> {
  const found = await sql<ShownPrice>`select s.machine_id as "machineId", s.code, ${shownFen} as "priceFen",
      ${struckFen} as "struckFen", ${memberFen} as "memberFen"
    from slot s where s.id = any(${[...slotIds]}::bigint[]) and s.machine_id is not null
    order by s.layer, s.position`.execute(tx)
  return found.rows
}
