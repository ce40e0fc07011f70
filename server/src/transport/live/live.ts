import { z } from 'zod'
import type { Announcement, Bus } from '../../kernel/announce'
import type { Actor, Services } from '../../kernel/context'
import { Refusal } from '../../kernel/refuse'
import { fewMachinesInSight, merchantsOfMachines, sightOf } from '../../kernel/scope'
import type { LiveSocket, SocketRoute } from '../../kernel/socket'
import { hashToken } from '../../kernel/token'
import { type Listener, offer, sendDue, type Topic } from './listener'
import { concernedBy, hearMissed, type Missed } from './missed'

type Ended = 'B1000' | 'S9999'

export type LiveOptions = {
  services: Services
  bus: Bus
  readSession: (tokenHash: Buffer, now: Date, touch: boolean) => Promise<Actor>
}

const TOKEN_WITHIN_MS = 5_000
const LOOK_AGAIN_MS = 5 * 60_000
const FLUSH_EVERY_MS = 250
const MOST_MACHINES = 1_000_000
/** The web application knows it: signed out, do not connect again. */
const SIGNED_OUT = 4401
const TRY_AGAIN = 1013

/**
 * The signed-in `/ws/live`: which of the lists a person looks at may have changed. Frames carry no rows; the page asks
 * again, and the answer is cut by sight as always.
 */
export function startLive(options: LiveOptions): { route: SocketRoute; stop: () => void } {
  const { services, bus } = options
  const listeners = new Set<Listener>()
  const missed = hearMissed(services.clock)
  const end = (listener: Listener, code: Ended) => {
    listeners.delete(listener)
    sayEnded(listener.socket, code)
  }
  const stopHearing = bus.hear((announcement) => {
    missed.note(announcement)
    for (const listener of listeners) {
      if (announcement.topic === 'changes') noteChanges(listener, announcement, services.clock.now())
      else if (announcement.topic === 'rights') {
        const isOne = isAbout(listener, announcement.userIds)
        if (isOne) void renew(options, listener, 'rights', (code) => end(listener, code))
      } else if (announcement.topic === 'sight') {
        void renew(options, listener, 'machines', (code) => end(listener, code))
      } else if (announcement.topic !== 'session')
        offer(listener, topicsOf(announcement, listener), services.clock.now())
      else if (isOf(listener, announcement.tokenHash)) end(listener, announcement.code)
    }
  })
  const flushing = setInterval(() => {
    for (const listener of listeners) sendDue(listener, services.clock.now())
  }, FLUSH_EVERY_MS)
  const looking = setInterval(() => {
    for (const listener of listeners) void lookAgain(options, listener, (code) => end(listener, code))
  }, LOOK_AGAIN_MS)
  return {
    route: {
      path: '/ws/live',
      beat: JSON.stringify({ topic: 'beat' }),
      open: (socket) => awaitToken(socket, (hello) => enter({ ...options, missed }, socket, hello, listeners)),
    },
    stop: () => {
      stopHearing()
      clearInterval(flushing)
      clearInterval(looking)
    },
  }
}

/** The first frame says who it is; a token in the address would end in logs. */
function awaitToken(socket: LiveSocket, enterWith: (hello: Hello) => Promise<void>): void {
  const tooLate = setTimeout(() => socket.close(SIGNED_OUT, 'no token'), TOKEN_WITHIN_MS)
  let isFirst = true
  socket.onClose(() => clearTimeout(tooLate))
  socket.onMessage((text) => {
    if (!isFirst) return
    isFirst = false
    clearTimeout(tooLate)
    const hello = helloIn(text)
    if (hello) void enterWith(hello)
    else socket.close(SIGNED_OUT, 'no token')
  })
}

async function enter(
  { services, readSession, missed }: LiveOptions & { missed: Missed },
  socket: LiveSocket,
  { token, unheardMs }: Hello,
  listeners: Set<Listener>,
): Promise<void> {
  try {
    const actor = await readSession(hashToken(token), services.clock.now(), false)
    const seen = await seenBy(actor, services)
    if (!socket.isOpen()) return
    const listener: Listener = { socket, actor, ...seen, waiting: new Set(), kinds: new Set(), sentAtMs: new Map() }
    listeners.add(listener)
    socket.onClose(() => listeners.delete(listener))
    socket.send(JSON.stringify({ topic: 'ready', at: services.clock.now().toISOString() }))
    const topics = missed.since(unheardMs)
    if (topics.includes('changes')) listener.kinds.add('*')
    offer(listener, topics, services.clock.now())
  } catch (cause) {
    if (cause instanceof Refusal) return sayEnded(socket, endedBy(cause))
    services.log.warn({ err: cause }, 'live socket not entered')
    socket.close(TRY_AGAIN, 'try again')
  }
}

/** A role, a grant or the session itself may have changed since. */
async function lookAgain({ services, readSession }: LiveOptions, listener: Listener, end: (code: Ended) => void) {
  try {
    listener.actor = await readSession(listener.actor.tokenHash, services.clock.now(), false)
    Object.assign(listener, await seenBy(listener.actor, services))
  } catch (cause) {
    if (cause instanceof Refusal) end(endedBy(cause))
    else services.log.warn({ err: cause }, 'sight of a live socket not renewed')
  }
}

/** What the person may do or see changed: it holds for this socket first, then the browser asks again. */
async function renew(
  options: LiveOptions,
  listener: Listener,
  topic: 'rights' | 'machines',
  end: (code: Ended) => void,
): Promise<void> {
  await lookAgain(options, listener, end)
  offer(listener, [topic], options.services.clock.now())
}

/** No user named means anybody. */
const isAbout = ({ actor }: Pick<Listener, 'actor'>, userIds: readonly number[]): boolean =>
  userIds.length === 0 || userIds.includes(actor.userId)

function sayEnded(socket: LiveSocket, code: Ended): void {
  socket.send(JSON.stringify({ topic: 'session', code }))
  socket.close(SIGNED_OUT, code)
}

const endedBy = ({ code }: Refusal): Ended => (code === 'B1000' ? 'B1000' : 'S9999')
const isOf = ({ actor }: Listener, tokenHash: string) => actor.tokenHash.toString('hex') === tokenHash

async function seenBy(actor: Actor, { db }: Services): Promise<Pick<Listener, 'machines' | 'merchants'>> {
  const ids = await fewMachinesInSight(db, sightOf(actor), MOST_MACHINES)
  if (ids === null) return { machines: null, merchants: new Set() }
  return { machines: new Set(ids), merchants: new Set([actor.merchantId, ...(await merchantsOfMachines(db, ids))]) }
}

type Changes = Extract<Announcement, { topic: 'changes' }>

/** People hear of their merchant and of those whose machines they see, administrators of what is below too. */
function noteChanges(listener: Listener, { kinds, merchantIds, above, everyone }: Changes, now: Date): void {
  const { kind, merchantId } = listener.actor
  const isOwn = merchantIds.some((id) => listener.merchants.has(id))
  const isBelow = kind === 'merchant_admin' && above.includes(merchantId)
  if (!everyone && !isOwn && !isBelow && kind !== 'platform_admin' && kinds.length > 0) return
  for (const each of kinds.length > 0 ? kinds : ['*']) listener.kinds.add(each)
  offer(listener, ['changes'], now)
}

/** What an announcement means to this listener; one without machine ids may be about any machine. */
function topicsOf(announcement: Announcement, { machines, actor }: Listener): readonly Topic[] {
  if (announcement.topic === 'messages') {
    return isAbout({ actor }, announcement.userIds) ? concernedBy(announcement) : []
  }
  if (!isAboutMachines(announcement)) return []
  const { machineIds } = announcement
  const isSeen = machines === null || machineIds.length === 0 || machineIds.some((id) => machines.has(id))
  return isSeen ? concernedBy(announcement) : []
}

type AboutMachines = Extract<Announcement, { topic: 'sales' | 'orders' | 'machines' | 'commands' | 'answers' }>
const isAboutMachines = (announcement: Announcement): announcement is AboutMachines =>
  ['sales', 'orders', 'machines', 'commands', 'answers'].includes(announcement.topic)

type Hello = z.infer<typeof helloShape>
const helloShape = z.object({
  token: z.string().min(1).max(256),
  /** How long the page has shown things without hearing what becomes of them. */
  unheardMs: z.number().nonnegative().default(0),
})

function helloIn(text: string): Hello | null {
  try {
    return helloShape.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
