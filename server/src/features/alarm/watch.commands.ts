import type { Tx } from '../../kernel/context'
import { lockForTemperature } from '../fleet/public'
import { clearAlarms, raiseAlarms } from './alarm.store'
import { isFailingRepeatedly, lasting } from './watch.rules'
import { type Sign, signsOf, type Watched } from './watch.signs'
import {
  findKnown,
  findMeasured,
  findProbes,
  findVends,
  forgetWaiting,
  keepWaiting,
  type Known,
  watchKey,
} from './watch.store'

/** Types that are measured against what their machine may be. */
const measuring = new Set(['heartbeat', 'temperature', 'door'])
/** A cause that goes on is written down as often, not with each heartbeat. */
const SEEN_EVERY_MS = 5 * 60_000

export type Stopped = { machineId: number; merchantId: number; slots: string[] }

/**
 * Opens and closes alarms by a batch of messages that were taken: two reads, and a write only for what changes.
 * @param told what was found of them already
 * @returns medicine cabinets that left their limits: their slots are locked, and the machines have to be told
 */
export async function watchBatch(tx: Tx, messages: readonly Watched[], told: readonly Sign[] = []): Promise<Stopped[]> {
  if (messages.length === 0) return []
  const ids = (some: readonly Watched[]) => [...new Set(some.map(({ machineId }) => machineId))]
  const known = await findKnown(tx, ids(messages))
  const measured = await findMeasured(tx, ids(messages.filter(({ type }) => measuring.has(type))))
  const probes = await findProbes(tx, ids(doubtful(messages, known)), latest(messages))
  const signs = messages.flatMap((message) =>
    signsOf(message, {
      measured: measured.get(message.machineId),
      probes: probes.get(message.machineId) ?? [],
      isOpen: (cause, slot = '') => known.open.has(watchKey(message.machineId, cause, slot)),
    }),
  )
  const repeated = await repeatedFailures(tx, messages, known)
  const medicines = new Set([...measured].filter(([, each]) => each.isMedicine).map(([id]) => id))
  return settle(tx, [...signs, ...repeated, ...told], known, medicines)
}

const climate = ['temperature', 'humidity'] as const

/**
 * One probe that is well again says nothing of the others: these are asked where something may end by it, which is
 * where an alarm lasts or waits, or where several speak at once.
 */
function doubtful(messages: readonly Watched[], { open, waiting }: Known): Watched[] {
  const counts = new Map<number, number>()
  const measures = messages.filter(({ type }) => type === 'temperature' || type === 'heartbeat')
  for (const { type, machineId } of measures) {
    if (type === 'temperature') counts.set(machineId, (counts.get(machineId) ?? 0) + 1)
  }
  return measures.filter(({ machineId }) => {
    const keys = climate.map((cause) => watchKey(machineId, cause, ''))
    return (counts.get(machineId) ?? 0) > 1 || keys.some((key) => open.has(key) || waiting.has(key))
  })
}

const latest = (messages: readonly Watched[]): Date =>
  messages.reduce((last, { receivedAt }) => (receivedAt > last ? receivedAt : last), new Date(0))

/** Asked of a slot that failed just now, and of one that has the alarm and worked. */
async function repeatedFailures(tx: Tx, messages: readonly Watched[], known: Known): Promise<Sign[]> {
  const vends = messages.filter(({ type, data }) => type === 'vend.result' && typeof data.slot === 'string')
  const isOpen = (machineId: number, slot: string) => known.open.has(watchKey(machineId, 'repeated_failure', slot))
  const asked = vends
    .map(({ data, ...message }) => ({ ...message, slot: String(data.slot), ok: data.ok === true }))
    .filter(({ machineId, slot, ok }) => !ok || isOpen(machineId, slot))
  const found = await findVends(tx, asked)
  return asked.map(({ machineId, merchantId, slot, receivedAt: at }) => {
    const last = found.get(watchKey(machineId, '', slot)) ?? []
    const failed = last.slice(0, 10).filter((isGood) => !isGood).length
    return {
      machineId,
      merchantId,
      cause: 'repeated_failure',
      slot,
      at,
      isTrue: isFailingRepeatedly(last, isOpen(machineId, slot)),
      delayMs: 0,
      facts: { failed, of: Math.min(last.length, 10) },
    }
  })
}

async function settle(
  tx: Tx,
  signs: readonly Sign[],
  known: Known,
  medicines: ReadonlySet<number>,
): Promise<Stopped[]> {
  const raised: Sign[] = []
  const waits: Sign[] = []
  const over = new Map<string, Sign>()
  const isRaised = new Set<string>()
  for (const sign of signs) {
    const key = watchKey(sign.machineId, sign.cause, sign.slot)
    const seenAt = known.open.get(key)
    const since = known.waiting.get(key)
    const isOpen = seenAt !== undefined || isRaised.has(key)
    const waitingMs = since ? sign.at.getTime() - since.getTime() : null
    const verdict = lasting(sign.isTrue, { isOpen, waitingMs, delayMs: sign.delayMs })
    if (verdict === 'wait' && !since) waits.push(sign)
    if (verdict === 'clear') over.set(key, sign)
    if (verdict !== 'raise') continue
    over.delete(key)
    if (seenAt && sign.at.getTime() - seenAt.getTime() < SEEN_EVERY_MS) continue
    isRaised.add(key)
    raised.push(sign)
  }
  await keepWaiting(tx, waits)
  await raiseAlarms(tx, raised)
  const ended = [...over.values()]
  await clearAlarms(tx, ended)
  const waited = (sign: Sign) => known.waiting.has(watchKey(sign.machineId, sign.cause, sign.slot))
  await forgetWaiting(tx, [...ended, ...raised].filter(waited))
  const isNew = ({ machineId, cause, slot }: Sign) => !known.open.has(watchKey(machineId, cause, slot))
  return stopWarm(
    tx,
    raised.filter((sign) => sign.cause === 'temperature' && medicines.has(sign.machineId) && isNew(sign)),
  )
}

/** Medicines that may have suffered are not sold until a pharmacist has looked at them. */
async function stopWarm(tx: Tx, warm: readonly Sign[]): Promise<Stopped[]> {
  const locked = await lockForTemperature(
    tx,
    warm.map(({ machineId }) => machineId),
  )
  return warm.flatMap(({ machineId, merchantId }) => {
    const slots = locked.filter((each) => each.machineId === machineId).map(({ slot }) => slot)
    return slots.length > 0 ? [{ machineId, merchantId, slots }] : []
  })
}
