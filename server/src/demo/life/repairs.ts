import { startTest } from '@aisle/contract/device/machineTest'
import { addRepairPlan } from '@aisle/contract/maintenance/plan'
import * as contract from '@aisle/contract/maintenance/repairOrder'
import { DAY_MS, HOUR_MS } from '../calendar'
import { repairJobs, repairOrders } from '../data/work'
import { seenBy } from '../people/people'
import type { Network } from './standing'
import { hear, newVoice, obey, say, turned, type Voice } from './wire'
import type { Past } from './within'

/** Work of the last days, some of it under way; a slot that was mended is proven by a test. Plans on every fourth. */
export async function repairMachines(past: Past, network: Network): Promise<void> {
  const seen = seenBy('maintainer', network)
  const voice = newVoice(past, 'repairs')
  for (const [n, order] of repairOrders.entries()) {
    const standing = seen[(n * 7 + 3) % Math.max(1, seen.length)]
    if (standing) await repair(voice, standing, order)
  }
  past.at(past.latestMs - 30 * HOUR_MS)
  for (const { machine } of seen.filter((_, n) => n % 4 === 1).slice(0, 8)) {
    const every = { everyDays: 90, everyOrders: 3000, since: past.day(-(machine.deployedDaysAgo % 80)) }
    await past.as('maintainer', addRepairPlan, { machineCode: machine.code, name: '季度保养：清洁与检查', ...every })
  }
}

async function repair(
  voice: Voice,
  { machine, slots, id: machineId }: Network[number],
  { job, daysAgo, until }: (typeof repairOrders)[number],
): Promise<void> {
  const { as, at, day, idOf, latestMs } = voice.past
  const { problem, solution, part, costFen } = repairJobs[job]
  const askedMs = latestMs - daysAgo * DAY_MS - 2 * HOUR_MS
  const slot = slots.find(({ fault }) => fault === null)?.code ?? ''
  at(askedMs)
  const asked = {
    machineCode: machine.code,
    problem,
    dueOn: day(2 - daysAgo),
    slots: problem.startsWith('货道') ? slot : '',
  }
  const { id } = await as('maintainer', contract.addRepairOrder, asked)
  if (until === 'open') return
  if (until === 'cancelled')
    return void (await as('maintainer', contract.cancelRepairOrder, { id, reason: '重启后恢复正常' }))
  at(askedMs + HOUR_MS / 2)
  await as('maintainer', contract.assignRepairOrder, { id, assigneeId: idOf('user', 'maintainer') })
  if (until === 'assigned') return
  const begunMs = askedMs + 20 * HOUR_MS
  at(begunMs)
  await as('maintainer', contract.startRepairOrder, { id })
  await hear(voice, [say(voice, machine.code, 'presence', { online: true }, { atMs: begunMs })])
  const test = { id: machineId, scope: 'slot', slot, putsBack: true, reason: '维修后复测' } as const
  // The first turn of what is still being worked on has failed.
  await as('maintainer', startTest, test)
  const isGood = until !== 'started'
  await obey(voice, begunMs + 60_000, () => ({ state: 'done', result: { ...turned(isGood), durationMs: 3_400 } }))
  if (!isGood) return
  await as('maintainer', contract.addRepairPart, { id, name: part, quantity: 1, costFen })
  await as('maintainer', contract.finishRepairOrder, { id, solution })
  at(begunMs + 3 * HOUR_MS)
  if (until === 'closed') await as('maintainer', contract.closeRepairOrder, { id })
}
