import { sql } from 'kysely'
import { takeForSending } from '../../features/device/command/command.store'
import { callBack } from '../../features/partner/callback.jobs'
import { acceptShipment } from '../../features/partner/shipment.commands'
import type { call } from '../../kernel/callOut'
import { type DemoDay, HOUR_MS } from '../calendar'
import { randomFrom, seedOf } from '../random'
import { wellFilled } from './machineDay'
import { hearShipped } from './span'
import type { Standing } from './standing'
import { hear, newVoice, say } from './wire'
import type { Past } from './within'

const A_DAY = 4

type Config = { id: number; merchantId: number; machineId: number | null }

/** What the operator's online shop asks one machine for in a day, by the call that it makes; it hears of it at once. */
export async function shipDay(past: Past, network: readonly Standing[], day: DemoDay): Promise<void> {
  const found = await sql<Config>`select id, merchant_id as "merchantId", machine_id as "machineId"
    from integration_config where child_class = 'ship_request' and machine_id is not null`.execute(past.tx)
  const [config] = found.rows
  const standing = network.find(({ id }) => id === config?.machineId)
  if (!config || !standing) return
  const { machine, slots } = standing
  const random = randomFrom(seedOf(`${machine.code}/${day.day}/partner`))
  const able = wellFilled(standing)
  if (able.length < A_DAY) return
  const times = Array.from({ length: A_DAY }, () => day.startMs + 10 * HOUR_MS + random.between(0, 9 * HOUR_MS))
  for (const [n, ms] of times.sort((a, b) => a - b).entries()) {
    const at = able[(day.daysAgo * 7 + n * 3) % able.length] ?? 0
    const requestNo = `SHOP${day.day.replaceAll('-', '').slice(2)}${10_000 + n * 37}`
    const asked = { requestNo, machine: machine.code, items: [{ slot: slots[at]?.code ?? '', quantity: 1 }] }
    if (ms > past.latestMs - 10 * 60_000) break
    past.at(ms)
    // It ships for nobody who has not heard of it in the last minutes, and its own customers may come hours apart.
    const alive = newVoice(past, `a${day.day}-${n}`)
    await hear(alive, [say(alive, machine.code, 'presence', { online: true }, { atMs: ms - 1_000 })])
    const body = JSON.stringify(asked)
    await acceptShipment(past.services, config, { body, ip: '203.0.113.24', headers: {}, asked })
    const dispatches = await takeForSending(past.tx, [standing.id], false, new Date(ms))
    const sale = { orderNo: '', method: 'other' as const, occurredMs: ms, receivedMs: ms, standing }
    const items = [{ slot: at, isJammed: random.chance(0.06) }]
    await hearShipped(past, { ...sale, items }, { boot: `p${day.day}-${n}`, dispatches })
    for (const minutes of [1, 3]) {
      past.at(ms + minutes * 60_000)
      await callBack(past.services, minutes === 1 && random.chance(0.1) ? isAway : hears)
    }
  }
}

/** Mostly at once; at times the shop is away at first. */
const hears: typeof call = async () => ({ status: 200, problem: null, answer: '{"ok":true}', durationMs: 120 })
const isAway: typeof call = async () => ({ status: 503, problem: null, answer: '', durationMs: 2_400 })
