import type {
  countScopes,
  openCount,
  openHospitalCounts,
  openRouteCounts,
  openSlotCounts,
  slotOutcomes,
} from '@aisle/contract/counting/count'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { CommandContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { cycleOf } from './count.rules'
import { record } from './count.store'
import { putSheet } from './sheet.store'

type Scope = (typeof countScopes)[number]
type Machine = { id: number; merchantId: number; code: string }
type SlotRow = {
  id: number
  machineId: number
  code: string
  placeId: number
  productId: number
  stock: number
  costFen: number
  pastError: number
  isOpen: boolean
}

/** Of past counts as many as say something about the next. */
const REMEMBERED = 6

export async function open(ctx: CommandContext, { machineCode, scope }: InputOf<typeof openCount>) {
  return openAll(ctx, sql`m.code = ${machineCode}`, scope)
}

export async function openRoute(ctx: CommandContext, { routeId, scope }: InputOf<typeof openRouteCounts>) {
  await refuseUnseen(ctx, sql`route`, routeId)
  return openAll(ctx, sql`m.route_id = ${routeId}`, scope)
}

export async function openHospital(ctx: CommandContext, { hospitalId, scope }: InputOf<typeof openHospitalCounts>) {
  await refuseUnseen(ctx, sql`hospital`, hospitalId)
  return openAll(ctx, sql`o.hospital_id = ${hospitalId}`, scope)
}

/** @throws Refusal for a route or hospital of somebody else */
async function refuseUnseen(ctx: CommandContext, table: RawBuilder<unknown>, id: number): Promise<void> {
  const seen = await sql<{ id: number }>`select id from ${table}
    where id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`merchant_id`)}`.execute(ctx.tx)
  existing(seen.rows[0])
}

async function openAll(ctx: CommandContext, which: RawBuilder<unknown>, scope: 'all' | 'cycle') {
  const machines = await findMachines(ctx, which)
  const slots = await findSlots(ctx, sql`s.machine_id = any(${machines.map(({ id }) => id)}::bigint[])`)
  if (slots.length === 0) refuse('count.noSlots')
  const ids: number[] = []
  for (const machine of machines) {
    const own = slots.filter(({ machineId, isOpen }) => machineId === machine.id && !isOpen)
    const chosen = scope === 'all' ? own : cycleOf(own)
    if (chosen.length > 0) ids.push(await begin(ctx, machine, scope, chosen))
  }
  if (ids.length === 0) refuse('count.already')
  const [id] = ids
  return { id: ids.length === 1 ? (id ?? null) : null, opened: ids.length, already: machines.length - ids.length }
}

/** Each slot that somebody ticked, whatever it holds by the books; one count a machine. */
export async function openSlots(ctx: CommandContext, { ids }: InputOf<typeof openSlotCounts>) {
  const wanted = sql`any(${[...ids]}::bigint[])`
  const machines = await findMachines(ctx, sql`m.id in (select machine_id from slot where id = ${wanted})`)
  const slots = await findSlots(ctx, sql`s.id = ${wanted}`)
  const free = slots.filter(({ isOpen }) => !isOpen)
  for (const machine of machines) {
    const chosen = free.filter(({ machineId }) => machineId === machine.id)
    if (chosen.length > 0) await begin(ctx, machine, 'slots', chosen)
  }
  if (free.length === 0) {
    const { merchantId } = ctx.actor
    const after = { asked: ids.length }
    await ctx.audit({ merchantId, objectKind: 'stockCount', objectId: 'none', before: null, after })
  }
  const known = new Map(slots.map((slot) => [slot.id, slot]))
  const outcomeOf = (id: number): (typeof slotOutcomes)[number] => {
    const slot = known.get(id)
    if (!slot) return 'notFound'
    return slot.isOpen ? 'open' : 'done'
  }
  return { outcomes: ids.map((id) => ({ id, outcome: outcomeOf(id) })) }
}

/** Locked, so that of two who begin the same the second finds it begun. */
async function findMachines(ctx: CommandContext, which: RawBuilder<unknown>): Promise<Machine[]> {
  const found = await sql<Machine>`select m.id, m.merchant_id as "merchantId", m.code
    from machine m join point o on o.id = m.point_id
    where ${which} and m.retired_at is null and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}
    order by m.id for update of m`.execute(ctx.tx)
  return found.rows
}

async function findSlots(ctx: CommandContext, which: RawBuilder<unknown>): Promise<SlotRow[]> {
  const found = await sql<SlotRow>`
    select s.id, s.machine_id as "machineId", s.code, s.place_id as "placeId", p.id as "productId",
      coalesce(l.quantity, 0) as stock, coalesce(p.cost_fen, 0)::bigint as "costFen", coalesce((
        select sum(abs(e.delta)) from (select n.delta from stock_count_line n where n.place_id = s.place_id
          and n.product_id = s.product_id and n.delta is not null order by n.id desc limit ${sql.lit(REMEMBERED)}) e
      ), 0)::int as "pastError", exists (select from stock_count_line n where n.place_id = s.place_id
        and n.product_id = s.product_id and n.is_open) as "isOpen"
    from slot s join machine m on m.id = s.machine_id join product p on p.id = s.product_id
    left join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
    where ${which} and s.machine_id is not null and m.retired_at is null
      and ${machineInSight(sightOf(ctx.actor), sql`s.machine_id`)}
    order by s.machine_id, s.layer, s.position`.execute(ctx.tx)
  return found.rows
}

async function begin(ctx: CommandContext, machine: Machine, scope: Scope, slots: readonly SlotRow[]): Promise<number> {
  const opened = { by: ctx.actor.userId, at: ctx.now() }
  const id = await putSheet(ctx.tx, machine, scope, opened, slots)
  const after = { machineCode: machine.code, scope, slots: slots.map(({ code }) => code) }
  await record(ctx, { id, merchantId: machine.merchantId }, { verb: 'open', before: null, after })
  return id
}
