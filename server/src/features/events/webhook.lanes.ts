import type { Bus } from '../../kernel/announce'
import { type Allowed, call, publicAlone } from '../../kernel/callOut'
import type { Services } from '../../kernel/context'
import { unseal } from '../../kernel/seal'
import { numberNoted } from './log.store'
import { tellBad } from './webhook.notice'
import { secondsOf, signaturesOf } from './webhook.rules'
import { announceTold, type Due, findWaiting, noteRound, takeDue, type Told } from './webhook.store'

const PATIENCE_MS = 15_000
/** What was noted within this time is numbered together. */
const GATHER_MS = 100
/** At the latest: another process may have died over what it had taken. */
const LOOK_AGAIN_MS = 60_000

/**
 * Tells webhooks what happened as long as the process runs: one lane a webhook, so that a receiver that is slow or dead
 * keeps nobody else waiting. Whichever process hears of an event tells it; what it takes, no other does.
 */
export function tellWebhooks(services: Services, bus: Bus, allowed: Allowed = publicAlone) {
  const lanes = openLanes(services, allowed)
  let gathering: NodeJS.Timeout | undefined
  const tell = (work: () => Promise<void>) => {
    work().catch((err: unknown) => services.log.warn({ err }, 'events wait for the next look'))
  }
  const number = async () => {
    gathering = undefined
    for (const id of await numberNoted(services)) lanes.start(id)
  }
  const look = async () => {
    await number()
    await lanes.wake()
  }
  const stopHearing = bus.hear((announcement) => {
    if (announcement.topic !== 'events') return
    if (announcement.webhookId) lanes.start(announcement.webhookId)
    else gathering ??= setTimeout(() => tell(number), GATHER_MS)
  })
  const again = setInterval(() => tell(look), LOOK_AGAIN_MS)
  tell(look)
  return {
    stop: async () => {
      stopHearing()
      clearInterval(again)
      clearTimeout(gathering)
      await lanes.stop()
    },
  }
}

export function openLanes(services: Services, allowed: Allowed = publicAlone) {
  const running = new Map<number, Promise<void>>()
  /** Of what runs: something came meanwhile that its last look may have missed. */
  const asked = new Set<number>()
  const timers = new Map<number, NodeJS.Timeout>()
  let isStopped = false
  const start = (id: number) => {
    if (isStopped) return
    if (running.has(id)) return void asked.add(id)
    clearTimeout(timers.get(id))
    timers.delete(id)
    const lane = tellAll(services, id, allowed, () => isStopped)
      .catch((err: unknown) => {
        services.log.warn({ err, webhook: id }, 'lane of a webhook ended')
        return null
      })
      .then((dueAt) => {
        running.delete(id)
        if (asked.delete(id)) start(id)
        else if (dueAt) later(id, dueAt)
      })
    running.set(id, lane)
  }
  /** What is due after the next look is left to that; a lane that runs says itself when it ends. */
  const later = (id: number, dueAt: Date) => {
    const ms = dueAt.getTime() - services.clock.now().getTime()
    if (isStopped || running.has(id) || ms > LOOK_AGAIN_MS) return
    clearTimeout(timers.get(id))
    timers.set(
      id,
      setTimeout(() => start(id), Math.max(ms, 10)),
    )
  }
  return {
    start,
    /** Lanes of all webhooks before which something is due now, and of the others when it is. */
    wake: async (): Promise<void> => {
      const now = services.clock.now()
      for (const { id, dueAt } of await findWaiting(services.db, now)) {
        if (dueAt <= now) start(id)
        else later(id, dueAt)
      }
    },
    /** Until nothing is due any more. */
    idle: async (): Promise<void> => {
      while (running.size > 0) await Promise.all(running.values())
    },
    stop: async (): Promise<void> => {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}

/** Round by round, as long as something is due. @returns when the next is, null where nothing waits */
async function tellAll(services: Services, id: number, allowed: Allowed, isStopped: () => boolean) {
  const { db, clock } = services
  for (let rounds = 0; ; rounds += 1) {
    const due = isStopped() ? [] : await takeDue(db, id, clock.now())
    if (due.length === 0) {
      if (rounds > 0) await announceTold(db, id)
      const [next] = await findWaiting(db, clock.now(), id)
      return next?.dueAt ?? null
    }
    const told = await Promise.all(due.map((each) => tellOne(services, id, each, allowed)))
    const bad = await db.transaction().execute((tx) => noteRound(tx, id, told))
    if (bad) await tellBad(services, id, bad)
  }
}

/** The call stands in no transaction. */
async function tellOne(services: Services, id: number, due: Due, allowed: Allowed): Promise<Told> {
  const { clock, keys } = services
  const { address, event, secret, secretBefore } = due
  const at = clock.now()
  const body = JSON.stringify(event)
  const secrets = [secret, secretBefore].flatMap((each) => (each ? [unseal(keys, `webhook:${id}`, each)] : []))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Aisle',
    'webhook-id': event.id,
    'webhook-timestamp': String(secondsOf(at)),
    'webhook-signature': signaturesOf(secrets, { id: event.id, at, body }),
  }
  return { due, at, heard: await call(address, { headers, body, patienceMs: PATIENCE_MS }, allowed) }
}
