import { createHash } from 'node:crypto'
import { acknowledgeAlarms, closeAlarms } from '@aisle/contract/alarm/alarm'
import { saveStockRule } from '@aisle/contract/alarm/stockRule'
import { previewBatch, sendBatch, sendToMachines } from '@aisle/contract/device/batch'
import { remoteShip } from '@aisle/contract/device/remoteShip'
import { addPackage, startRollout, usualWaves } from '@aisle/contract/device/software'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../calendar'
import { DEMO_OPERATOR } from '../data/merchants'
import { letOuts, packages, parts, troubles, wearing } from '../data/work'
import { seenBy } from '../people/people'
import { randomFrom, seedOf } from '../random'
import { wellFilled } from './machineDay'
import type { Network, Standing } from './standing'
import { type Answer, hear, newVoice, obey, say, type Voice } from './wire'
import type { Past } from './within'

/**
 * What people asked of machines lately and what these said: software in waves, a batch, self-checks, goods let out from
 * afar, troubles that became alarms. Oldest first, at the merchant of the demo's accounts.
 */
export async function workOnMachines(past: Past, network: Network): Promise<void> {
  const own = network.filter(({ machine }) => machine.merchant === DEMO_OPERATOR && machine.deployedDaysAgo > 30)
  const voice = newVoice(past, 'workshop')
  await updateSoftware(voice)
  await haveTroubles(voice, own)
  await askMany(voice, own)
  await letOut(voice, own)
  past.at(past.latestMs - 30 * HOUR_MS)
  const merchantId = past.idOf('merchant', DEMO_OPERATOR)
  await past.as('merchant', saveStockRule, { merchantId, empty: 4, ofSlots: 60 })
  for (const { machine } of own.slice(0, 1)) {
    const pointId = past.idOf('point', machine.site.name)
    await past.as('merchant', saveStockRule, { scope: 'point', pointId, empty: 6 })
  }
}

const done: Answer = { state: 'done' }

/** The version that most run already went out in the usual waves; the next one lies ready. */
async function updateSoftware(voice: Voice): Promise<void> {
  const { as, at, latestMs, run } = voice.past
  for (const { version, notes, daysAgo } of packages) {
    let ms = latestMs - daysAgo * DAY_MS
    at(ms)
    const sha256 = createHash('sha256').update(version).digest('hex')
    const url = `https://software.example.com/app-${version}.bin`
    const { id: packageId } = await as('merchant', addPackage, { version, url, sha256, notes })
    if (version !== packages[0].version) continue
    const { count } = await as('merchant', previewBatch, { type: 'self_check', machines: { filter: {} } })
    if (count < usualWaves.length) continue
    const waves = { waves: [...usualWaves], failureLimitPercent: 50 }
    await as('merchant', startRollout, { packageId, filter: {}, count, ...waves, reason: '光幕误报较多' })
    for (const _ of usualWaves) {
      await obey(voice, ms, (_asked, nth) => (nth % 9 === 7 ? { state: 'failed', detail: 'checksumDiffers' } : done))
      ms += 7 * HOUR_MS
      at(ms)
      await run('device.moveWaves')
    }
  }
}

/** Doors, faults and fans, each of a machine of its own; people close and acknowledge what does not end by itself. */
async function haveTroubles(voice: Voice, own: Network): Promise<void> {
  const { as, at, latestMs, tx } = voice.past
  for (const [n, { type, data, hoursAgo, note }] of troubles.entries()) {
    const standing = own[(n * 5 + 1) % Math.max(1, own.length)]
    if (!standing) return
    const { code } = standing.machine
    const atMs = latestMs - hoursAgo * HOUR_MS
    await hear(voice, [say(voice, code, type, data, { atMs })])
    at(atMs + 2 * HOUR_MS)
    const found = await sql<{ id: number }>`select id from alarm where machine_id = ${standing.id} and state = 'open'
      and cause in ('door_unexpected', 'device')`.execute(tx)
    const ids = found.rows.map(({ id }) => id)
    if (type === 'heartbeat') {
      const well = { uptime: data.uptime + 7_200, faults: [] }
      await hear(voice, [say(voice, code, type, well, { atMs: atMs + 2 * HOUR_MS })])
    }
    if (type === 'alarm.raised' && ids.length > 0) await as('maintainer', acknowledgeAlarms, { ids })
    if (note !== null && ids.length > 0) await as('maintainer', closeAlarms, { ids, note })
  }
}

/** Volumes turned down for the night, of which some failed; the week's self-checks, with a worn part here and there. */
async function askMany(voice: Voice, own: Network): Promise<void> {
  const { as, at, latestMs } = voice.past
  const machineIds = seenBy('operator', own).map(({ id }) => id)
  if (machineIds.length === 0) return
  at(latestMs - 26 * HOUR_MS)
  const volume = { type: 'set_volume_or_screen', volume: 20, reason: '夜间降低音量' } as const
  await as('operator', sendBatch, { ...volume, machines: { machineIds } })
  await obey(voice, latestMs - 26 * HOUR_MS, (_asked, nth): Answer => {
    if (nth % 13 === 5) return { state: 'failed', detail: 'interrupted' }
    return nth % 17 === 9 ? { state: 'refused', detail: 'unknownCommand' } : done
  })
  const checkedMs = latestMs - 20 * HOUR_MS
  const known = new Map(own.map((standing) => [standing.machine.code, standing]))
  await hear(
    voice,
    own.map(({ machine }) => say(voice, machine.code, 'presence', { online: true }, { atMs: checkedMs })),
  )
  at(checkedMs)
  await as('maintainer', sendToMachines, { ids: own.map(({ id }) => id), type: 'self_check', reason: '每周例行自检' })
  await obey(voice, checkedMs, ({ machineCode }) => {
    const standing = known.get(machineCode)
    return standing ? { state: 'done', result: { parts: partsOf(standing) } } : null
  })
}

function partsOf({ machine, slots }: Standing) {
  const random = randomFrom(seedOf(`${machine.code}/check`))
  const worn = random.chance(0.1) ? random.pick(wearing) : null
  const cooled = machine.temperatureMaxC === null ? [] : ['compressor']
  const cash = machine.takesCash ? ['coin_acceptor'] : []
  return [
    ...[...parts, ...cooled, ...cash].map((part) =>
      part === worn ? { part, ok: false, code: 'noAnswer' } : { part, ok: true },
    ),
    ...slots.map(({ code, fault }) => ({ part: 'motor', slot: code, ok: fault === null, code: fault ?? '100' })),
  ]
}

/** Requests that no machine took: it was busy, or silent, or broke off, and then somebody has to look. */
async function letOut(voice: Voice, own: Network): Promise<void> {
  const { as, at, latestMs, run } = voice.past
  const able = seenBy('operator', own)
  for (const [n, { reason, answer }] of letOuts.entries()) {
    const standing = able[n * 3 + 2]
    const slot = standing?.slots[wellFilled(standing)[0] ?? -1]
    if (!standing || !slot) continue
    const ms = latestMs - (50 - n * 24) * HOUR_MS
    await hear(voice, [say(voice, standing.machine.code, 'presence', { online: true }, { atMs: ms - 1_000 })])
    at(ms)
    await as('operator', remoteShip, { id: standing.id, slot: slot.code, reason })
    await obey(voice, ms, () => answer)
    at(ms + 5 * 60_000)
    await run('device.expireCommands')
  }
}
