import { type Figures, MAP_POINTS_KEPT, type PushMessage } from '@aisle/contract/wallboard/board'
import type { Announcement, Bus } from '../../kernel/announce'
import type { Services } from '../../kernel/context'
import type { LiveSocket, SocketRoute } from '../../kernel/socket'
import {
  type Announced,
  figuresOf,
  findAnnounced,
  findClient,
  findOnSections,
  findShowing,
  keepAlive,
  pushOf,
  type Showing,
  toPoint,
} from './board.store'

/** A reader that lags by more than this skips to the newest figures: they are running totals, so none is lost. */
const SLOW_BYTES = 256 * 1024
/** Figures are read at most this often, however many sales arrive. */
const BEAT_MS = 250
/** Boards that show another tab than sales hear at most this often that something of theirs changed. */
const SECTION_BEAT_MS = 10_000
/** A board that is connected is alive; registrations of others are swept. */
const KEEP_ALIVE_EVERY_MS = 5 * 60_000
/** The specification's client ignores it. */
const GREETING = 'connected'
/** The board registers again, and hears there why it may not. */
const REGISTER_FIRST = 4404

/** `keyHash` is null for the open board of the platform. */
type Board = { socket: LiveSocket; userId: string; keyHash: Buffer | null }
const LATE_MS = 15 * 60_000
type Due = { sales: readonly Announced[] }

export type BoardPush = { route: SocketRoute; boards: () => number; stop: () => void }

/**
 * Pushes figures and new sales to all wallboards of this process. One query a display key and beat, one text a message,
 * written to every socket that shows it.
 */
export function startBoardPush(services: Services, bus: Bus): BoardPush {
  const boards = new Set<Board>()
  let due: Due | null = null
  let beat: NodeJS.Timeout | null = null
  let sectionBeat: NodeJS.Timeout | null = null

  const deaf = bus.hear((announcement) => {
    if (boards.size === 0) return
    if (isForSections(announcement)) sectionBeat ??= setTimeout(pushSections, SECTION_BEAT_MS)
    if (!isForBoards(announcement)) return
    collect(announcement).catch((error: unknown) => services.log.error({ error }, 'sale points not read'))
  })

  async function collect(announcement: Announcement): Promise<void> {
    const sales = await freshOf(services, announcement)
    due = { sales: [...(due?.sales ?? []), ...sales].slice(-MAP_POINTS_KEPT) }
    beat ??= setTimeout(pushDue, BEAT_MS)
  }

  /** One push after the other: of two that overtake each other the older figures would stay on the wall. */
  let last = Promise.resolve()
  function inTurn(push: () => Promise<void>): Promise<void> {
    last = last.then(push).catch((error: unknown) => services.log.error({ error }, 'wallboards not pushed'))
    return last
  }

  /** What comes while a push is under way goes with the next. */
  async function pushDue(): Promise<void> {
    await inTurn(() => pushTo(services, boards, takeDue()))
    beat = due ? setTimeout(pushDue, BEAT_MS) : null
  }
  function takeDue(): Due {
    const taken = due ?? { sales: [] }
    due = null
    return taken
  }

  /** They get the figures, as every board does, and fetch again what they show. */
  function pushSections(): void {
    sectionBeat = null
    void inTurn(async () => {
      const shown = await findOnSections(
        services.db,
        [...boards].map(({ userId }) => userId),
      )
      await pushTo(services, new Set([...boards].filter(({ userId }) => shown.has(userId))), { sales: [] })
    })
  }

  const keeping = setInterval(() => void keepThese(services, boards), KEEP_ALIVE_EVERY_MS)

  return {
    boards: () => boards.size,
    stop: () => {
      deaf()
      clearInterval(keeping)
      if (beat) clearTimeout(beat)
      if (sectionBeat) clearTimeout(sectionBeat)
    },
    route: {
      path: '/ws/message/:userId',
      beat: GREETING,
      open: (socket, call) => {
        socket.send(GREETING)
        admit(services, boards, socket, call.params.userId ?? '').catch(() => socket.close(1011, 'try again'))
      },
    },
  }
}

/** What is told late is counted, and does not light up as if it were sold now. */
async function freshOf({ db, clock }: Services, announcement: Announcement): Promise<Announced[]> {
  if (announcement.topic !== 'sales') return []
  const sinceMs = clock.now().getTime() - LATE_MS
  const newest = announcement.newest.filter(({ at }) => Date.parse(at) > sinceMs)
  return newest.length === 0 ? [] : findAnnounced(db, newest)
}

async function keepThese({ db, clock, log }: Services, boards: ReadonlySet<Board>): Promise<void> {
  const ids = [...boards].map(({ userId }) => userId)
  await keepAlive(db, ids, clock.now()).catch((error: unknown) => log.error({ error }, 'wallboards not kept alive'))
}

/** Boards whose key shows nothing any more are closed. */
async function pushTo({ db, clock }: Services, boards: ReadonlySet<Board>, { sales }: Due): Promise<void> {
  for (const { keyHash, sockets } of byKey(boards)) {
    const showing = await findShowing(db, keyHash)
    if (typeof showing === 'string') {
      for (const socket of sockets) socket.close(REGISTER_FIRST, showing)
      continue
    }
    const figures = await figuresOf(db, showing.merchantId, clock.now())
    const texts = messagesOf(showing, figures, sales).map((message) => JSON.stringify(message))
    for (const socket of sockets) sendTo(socket, texts)
  }
}

const isForBoards = (announcement: Announcement) => announcement.topic === 'sales' || announcement.topic === 'boards'

/** What production, after-sales, stock and members are counted from. */
const isForSections = ({ topic }: Announcement) => topic === 'machines' || topic === 'changes' || topic === 'answers'

/** Among those that are pushed to, once it has registered and while it is still there. */
async function admit(services: Services, boards: Set<Board>, socket: LiveSocket, userId: string): Promise<void> {
  const client = await findShown(services, userId)
  if (!client) return socket.close(REGISTER_FIRST, 'register first')
  if (!socket.isOpen()) return
  const board = { socket, userId, keyHash: client.keyHash }
  boards.add(board)
  socket.onClose(() => boards.delete(board))
}

/** A registered board, if its key still shows anything: keys are revoked, the open board is closed. */
async function findShown({ db }: Services, userId: string): Promise<{ keyHash: Buffer | null } | undefined> {
  const client = await findClient(db, userId)
  const showing = client && (await findShowing(db, client.keyHash))
  return typeof showing === 'object' ? client : undefined
}

/** One message a new sale in sight of the key, or the figures alone. */
function messagesOf({ merchantId, hidesNames }: Showing, figures: Figures, sales: Due['sales']): PushMessage[] {
  const mine = sales.filter(({ merchantPath }) => merchantPath.includes(merchantId))
  if (mine.length === 0) return [pushOf(figures, null)]
  return mine.map(({ row }) => pushOf(figures, toPoint(row, hidesNames)))
}

type Shown = { keyHash: Buffer | null; sockets: LiveSocket[] }

function byKey(boards: ReadonlySet<Board>): Iterable<Shown> {
  const groups = new Map<string, Shown>()
  for (const { socket, keyHash } of boards) {
    const name = keyHash?.toString('hex') ?? ''
    const group = groups.get(name)
    if (group) group.sockets.push(socket)
    else groups.set(name, { keyHash, sockets: [socket] })
  }
  return groups.values()
}

function sendTo(socket: LiveSocket, texts: readonly string[]): void {
  const last = texts.at(-1)
  if (socket.bufferedBytes() > SLOW_BYTES || last === undefined) return
  for (const text of texts) socket.send(text)
}
