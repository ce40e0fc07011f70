import { callbackState } from '@aisle/contract/partner/states'
import { sql } from 'kysely'
import { takeForSending } from '../../features/device/command/command.store'
import { acceptShipment } from '../../features/partner/shipment.commands'
import { type DemoDay, DAY_MS, HOUR_MS } from '../calendar'
import { randomFrom, seedOf } from '../random'
import { openingStock } from './machineDay'
import { hearShipped } from './span'
import type { Standing } from './standing'
import type { Past } from './within'

const A_DAY = 4

type Config = { id: number; merchantId: number; machineId: number | null; path: string | null }

/** What the operator's online shop asks one machine for in a day, by the call that it makes; it hears of it at once. */
export async function shipDay(past: Past, network: readonly Standing[], day: DemoDay): Promise<void> {
  const found = await sql<Config>`select id, merchant_id as "merchantId", machine_id as "machineId", path
    from integration_config where child_class = 'ship_request' and machine_id is not null`.execute(past.tx)
  const [config] = found.rows
  const standing = network.find(({ id }) => id === config?.machineId)
  if (!config || !standing) return
  const { machine, slots } = standing
  const random = randomFrom(seedOf(`${machine.code}/${day.day}/partner`))
  const opening = openingStock(standing)
  const able = slots.flatMap((slot, at) =>
    slot.product && slot.priceFen && slot.choice === 'none' && slot.fault === null && (opening[at] ?? 0) > 2
      ? [at]
      : [],
  )
  if (able.length < A_DAY) return
  const times = Array.from({ length: A_DAY }, () => day.startMs + 10 * HOUR_MS + random.between(0, 9 * HOUR_MS))
  for (const [n, ms] of times.sort((a, b) => a - b).entries()) {
    const at = able[(day.daysAgo * 7 + n * 3) % able.length] ?? 0
    const requestNo = `SHOP${day.day.replaceAll('-', '').slice(2)}${10_000 + n * 37}`
    const asked = { requestNo, machine: machine.code, items: [{ slot: slots[at]?.code ?? '', quantity: 1 }] }
    if (ms > past.latestMs - 10 * 60_000) break
    past.at(ms)
    const call = { body: JSON.stringify(asked), ip: '203.0.113.24', headers: {}, asked }
    await acceptShipment(past.services, config, call)
    const dispatches = await takeForSending(past.tx, [standing.id], false, new Date(ms))
    const sale = { orderNo: '', method: 'other' as const, occurredMs: ms, receivedMs: ms, standing }
    const items = [{ slot: at, isJammed: random.chance(0.06) }]
    await hearShipped(past, { ...sale, items }, { boot: `p${day.day}-${n}`, dispatches })
  }
  await tell(past, config, day)
}

/** Heard at once, mostly; of some the shop was away at first. */
async function tell({ tx }: Past, { path }: Config, day: DemoDay): Promise<void> {
  const at = sql`k.created_at + case k.id % 9 when 4 then interval '61 seconds' else interval '1 second' end`
  await sql`with delivered as (update partner_callback k set state = ${callbackState.to('deliver')}, tries = 1,
        next_try_at = null, delivered_at = ${at}
      where k.state = ${callbackState.initial} and k.created_at < ${new Date(day.startMs + DAY_MS)} returning k.*)
    insert into partner_try (callback_id, at, address, status, problem, answer, duration_ms)
    select k.id, ${at}, ${path ?? ''}, 200, null, '{"ok":true}', 80 + (k.id * 37) % 240 from delivered k`.execute(tx)
}
