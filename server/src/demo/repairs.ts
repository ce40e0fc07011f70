import { sql } from 'kysely'
import { rows } from '../db/rows'
import type { Tx } from '../kernel/context'
import { DAY_MS } from './calendar'
import { type Ids, idOf } from './people/people'
import { randomFrom, seedOf } from './random'

type Machine = { id: number; merchantId: number; code: string; slots: string[]; seen: boolean }

const jobs = [
  { problem: '货道卡货，弹簧变形', solution: '更换弹簧并重新摆放商品', part: { name: '弹簧 6 圈', costFen: 1_800 } },
  { problem: '光幕误报，出货判为失败', solution: '清洁并校正光幕', part: { name: '光幕组件', costFen: 12_600 } },
  { problem: '触摸屏局部失灵', solution: '更换触摸屏', part: { name: '触摸屏 21.5 寸', costFen: 46_000 } },
  { problem: '制冷不足', solution: '清洗冷凝器，补充制冷剂', part: { name: '制冷剂 R290', costFen: 6_500 } },
  { problem: '纸币器拒收', solution: '清洁识别头，更换皮带', part: { name: '纸币器皮带', costFen: 2_400 } },
] as const

/** Work of a quarter on some machines, some of it under way, and plans on every eighth. */
export async function seedRepairs(tx: Tx, ids: { users: Ids }, now: Date): Promise<void> {
  const fitterId = idOf(ids.users, 'maintainer')
  const found = await sql<Machine>`select m.id, m.merchant_id as "merchantId", m.code,
      coalesce((select array_agg(s.code order by s.code) from slot s where s.machine_id = m.id), '{}') as slots,
      exists (select 1 from machine_grant_user g where g.machine_id = m.id and g.user_id = ${fitterId}) as seen
    from machine m where m.retired_at is null order by m.code`.execute(tx)
  const orders = found.rows.flatMap((machine) => ordersOf(machine, fitterId, now))
  const made = await sql<{ id: number; problem: string; createdAt: Date; state: string }>`
    insert into repair_order (machine_id, merchant_id, source, kind, problem, solution, slots, state, assignee_id,
      due_on, created_by, created_at, started_at, done_at, closed_at)
    select machine_id, merchant_id, source, kind, problem, solution,
      case when slot is null then '{}' else array[slot] end, state, assignee_id, due_on,
      ${idOf(ids.users, 'operator')}, created_at, started_at, done_at, closed_at
    from ${rows('o', orders, {
      machineId: 'bigint',
      merchantId: 'bigint',
      source: 'text',
      kind: 'text',
      problem: 'text',
      solution: 'text',
      slot: 'text',
      state: 'text',
      assigneeId: 'bigint',
      dueOn: 'date',
      createdAt: 'timestamptz',
      startedAt: 'timestamptz',
      doneAt: 'timestamptz',
      closedAt: 'timestamptz',
    })} returning id, problem, created_at as "createdAt", state`.execute(tx)
  const parts = made.rows.flatMap(({ id, problem, state }) => {
    const job = jobs.find((each) => each.problem === problem)
    return job && (state === 'closed' || state === 'done') ? [{ orderId: id, ...job.part }] : []
  })
  await sql`insert into repair_part (order_id, name, quantity, cost_fen, added_by, added_at)
    select order_id, name, 1, cost_fen, ${fitterId}, ${now}
    from ${rows('p', parts, { orderId: 'bigint', name: 'text', costFen: 'bigint' })}`.execute(tx)
  await seedStories(tx, fitterId)
  await sql`insert into repair_plan (merchant_id, machine_id, name, every_days, every_orders, since, created_at)
    select merchant_id, id, '季度保养：清洁与检查', 90, 3000, ${now}::date - (id % 80)::int, ${now}
    from machine where retired_at is null and id % 8 = 3`.execute(tx)
}

/** From the times that stand in the orders. */
async function seedStories(tx: Tx, fitterId: number): Promise<void> {
  await sql`insert into repair_event (order_id, at, verb, user_id, note)
    select o.id, e.at, e.verb, case when e.verb = 'add' then o.created_by else ${fitterId}::bigint end, e.note
    from repair_order o, lateral (values ('add', o.created_at, o.problem), ('start', o.started_at, ''),
      ('finish', o.done_at, o.solution), ('close', o.closed_at, '')) as e(verb, at, note)
    where e.at is not null order by e.at`.execute(tx)
}

type Order = {
  machineId: number
  merchantId: number
  source: string
  kind: string
  problem: string
  solution: string
  slot: string | null
  state: string
  assigneeId: number | null
  dueOn: string
  createdAt: Date
  startedAt: Date | null
  doneAt: Date | null
  closedAt: Date | null
}

function ordersOf(machine: Machine, fitterId: number, now: Date): Order[] {
  const random = randomFrom(seedOf(`${machine.code}/repairs`))
  if (!random.chance(0.3)) return []
  const { problem, solution } = random.pick(jobs)
  const isOver = random.chance(0.6)
  const createdAt = new Date(now.getTime() - (isOver ? random.between(5, 80) : random.between(0, 6)) * DAY_MS - 60_000)
  const at = (hours: number) => new Date(createdAt.getTime() + hours * 3_600_000)
  const isSlots = problem.startsWith('货道')
  const common = {
    machineId: machine.id,
    merchantId: machine.merchantId,
    source: random.chance(0.5) ? 'alarm' : 'person',
    kind: 'repair',
    problem,
    slot: isSlots ? (machine.slots[0] ?? null) : null,
    createdAt,
    dueOn: new Date(createdAt.getTime() + random.between(1, 5) * DAY_MS).toISOString().slice(0, 10),
  }
  if (isOver) {
    const [startedAt, doneAt, closedAt] = [at(20), at(22), at(23)]
    return [{ ...common, state: 'closed', solution, assigneeId: fitterId, startedAt, doneAt, closedAt }]
  }
  const never = { solution: '', startedAt: null, doneAt: null, closedAt: null }
  // Only work on machines that the fitter sees is theirs.
  if (!machine.seen || random.chance(0.4)) return [{ ...common, ...never, state: 'open', assigneeId: null }]
  const isBegun = random.chance(0.5)
  const startedAt = isBegun ? new Date(Math.min(at(1).getTime(), now.getTime())) : null
  return [{ ...common, ...never, state: isBegun ? 'in_progress' : 'assigned', assigneeId: fitterId, startedAt }]
}
