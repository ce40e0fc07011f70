import { BEAT_MS } from '@aisle/contract/kernel/beat'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { LiveSocket, SocketRoute } from '../../kernel/socket'

/** What browsers send is a token or nothing; a longer frame closes the socket. */
const MAX_FRAME_BYTES = 16 * 1024
const PING_EVERY_MS = 30_000
/** RFC 6455, policy violation. */
const NOT_ALLOWED = 1008

/** Mounts every socket of the product with one heartbeat; compression is off, since it costs more than it saves. */
export async function mountSockets(app: FastifyInstance, routes: readonly SocketRoute[]): Promise<void> {
  await app.register(websocket, { options: { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES } })
  const alive = new WeakSet<WebSocket>()
  const heartbeat = setInterval(() => {
    for (const socket of app.websocketServer.clients) {
      if (!alive.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }, PING_EVERY_MS)
  heartbeat.unref()
  const beats = new Map<WebSocket, string>()
  const beating = setInterval(() => {
    // Whoever has not read the last frames yet hears something in any case.
    for (const [socket, beat] of beats) if (socket.bufferedAmount === 0) socket.send(beat)
  }, BEAT_MS)
  beating.unref()
  app.addHook('onClose', (_, done) => {
    clearInterval(heartbeat)
    clearInterval(beating)
    done()
  })
  await app.register((scope, _, done) => {
    for (const route of routes) {
      scope.get(route.path, { websocket: true }, (socket, request) => {
        alive.add(socket)
        socket.on('pong', () => alive.add(socket))
        // A broken frame or a reset connection ends in 'close'; without a listener it would end the process.
        socket.on('error', () => socket.terminate())
        if (!isOwnOrigin(request)) return socket.close(NOT_ALLOWED, 'origin')
        const { params, query, ip } = request as FastifyRequest<{
          Params: Record<string, string>
          Querystring: Record<string, string>
        }>
        beats.set(socket, route.beat)
        socket.on('close', () => beats.delete(socket))
        route.open(liveSocket(socket), { params, query, ip })
      })
    }
    done()
  })
}

/** Programs that are no browser send no Origin; they have no cookies or pages to be misled by either. */
export function isOwnOrigin(request: FastifyRequest): boolean {
  const { origin } = request.headers
  if (!origin) return true
  return URL.canParse(origin) && new URL(origin).host === request.host
}

const liveSocket = (socket: WebSocket): LiveSocket => ({
  send: (text) => {
    if (socket.readyState === socket.OPEN) socket.send(text)
  },
  close: (code, reason) => socket.close(code, reason),
  bufferedBytes: () => socket.bufferedAmount,
  isOpen: () => socket.readyState === socket.OPEN,
  onMessage: (hear) => void socket.on('message', (data, isBinary) => hear(isBinary ? '' : String(data))),
  onClose: (hear) => void socket.on('close', hear),
})
