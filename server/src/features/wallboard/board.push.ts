import type { PushMessage, SalePoint } from '@aisle/contract/wallboard/board'
import type { Announcement, Bus } from '../../kernel/announce'
import type { Services } from '../../kernel/context'
import type { LiveSocket, SocketRoute } from '../../kernel/socket'
import { boardMerchant, figuresOf, findClient, pointsOf, pushOf } from './board.store'

/** A reader that lags by more than this skips to the newest figures: they are running totals, so none is lost. */
const SLOW_BYTES = 256 * 1024
/** Figures are read at most this often, however many sales arrive. */
const BEAT_MS = 250
/** The board registers again, and hears there why it may not. */
const REGISTER_FIRST = 4404

/** `keyHash` is null for the open board of the platform. */
type Board = { socket: LiveSocket; keyHash: Buffer | null }
type Due = { points: { point: SalePoint; merchantPath: readonly number[] }[] }

export type BoardPush = { route: SocketRoute; boards: () => number; stop: () => void }

/**
 * Pushes figures and new sales to all wallboards of this process. One query a display key and beat, one text a message,
 * written to every socket that shows it.
 */
export function startBoardPush(services: Services, bus: Bus): BoardPush {
  const boards = new Set<Board>()
  let due: Due | null = null
  let beat: NodeJS.Timeout | null = null

  const deaf = bus.hear((announcement) => {
    if (boards.size === 0 || !isForBoards(announcement)) return
    collect(announcement).catch((error: unknown) => services.log.error({ error }, 'sale points not read'))
  })

  async function collect(announcement: Announcement): Promise<void> {
    const points = announcement.topic === 'sales' ? await pointsOf(services.db, announcement.newest) : []
    due = { points: [...(due?.points ?? []), ...points].slice(-80) }
    beat ??= setTimeout(pushDue, BEAT_MS)
  }

  function pushDue(): void {
    beat = null
    const now = due
    due = null
    if (now) pushAll(now).catch((error: unknown) => services.log.error({ error }, 'wallboards not pushed'))
  }

  async function pushAll({ points }: Due): Promise<void> {
    for (const { keyHash, sockets } of byKey(boards)) {
      const merchantId = await boardMerchant(services.db, keyHash)
      if (typeof merchantId === 'string') {
        for (const socket of sockets) socket.close(REGISTER_FIRST, merchantId)
        continue
      }
      const figures = await figuresOf(services.db, merchantId, services.clock.now())
      const mine = points.filter((each) => each.merchantPath.includes(merchantId))
      const messages: PushMessage[] =
        mine.length > 0 ? mine.map((each) => pushOf(figures, each.point)) : [pushOf(figures, null)]
      const texts = messages.map((message) => JSON.stringify(message))
      for (const socket of sockets) sendTo(socket, texts)
    }
  }

  return {
    boards: () => boards.size,
    stop: () => {
      deaf()
      if (beat) clearTimeout(beat)
    },
    route: {
      path: '/ws/message/:userId',
      open: (socket, call) => {
        // The greeting that the specification's client ignores.
        socket.send('connected')
        const { userId = '' } = call.params
        findShown(services, userId).then(
          (client) => {
            if (!client) return socket.close(REGISTER_FIRST, 'register first')
            if (!socket.isOpen()) return
            const board = { socket, keyHash: client.keyHash }
            boards.add(board)
            socket.onClose(() => boards.delete(board))
          },
          () => socket.close(1011, 'try again'),
        )
      },
    },
  }
}

const isForBoards = (announcement: Announcement) => announcement.topic === 'sales' || announcement.topic === 'boards'

/** A registered board, if its key still shows anything: keys are revoked, the open board is closed. */
async function findShown({ db }: Services, userId: string): Promise<{ keyHash: Buffer | null } | undefined> {
  const client = await findClient(db, userId)
  const merchantId = client && (await boardMerchant(db, client.keyHash))
  return typeof merchantId === 'number' ? client : undefined
}

type Shown = { keyHash: Buffer | null; sockets: LiveSocket[] }

function byKey(boards: Set<Board>): Iterable<Shown> {
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
