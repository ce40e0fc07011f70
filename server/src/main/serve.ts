import type { FastifyInstance } from 'fastify'
import type { Bus } from '../kernel/announce'
import type { Services } from '../kernel/context'
import type { Route } from '../kernel/route'
import { bindRoutes, type ReadKey } from '../transport/http/bind'
import { serveFileLinks } from '../transport/http/files'
import type { Metrics } from '../transport/http/health'
import { servePages } from '../transport/http/pages'
import { serveRaw } from '../transport/http/raw'
import type { ReadSession } from '../transport/http/session'
import { startLive } from '../transport/live/live'
import { mountSockets } from '../transport/live/mount'
import { type Config, StartError } from './config'
import type { RunningSocket } from '../kernel/feature'
import { rawRoutes } from './features'

export type Surface = {
  services: Services
  bus: Bus
  readSession: ReadSession
  readKey: ReadKey
  metrics: Metrics
  routes: readonly Route[]
  sockets: readonly RunningSocket[]
  webDir: string
}

/** What people and their programs reach: every endpoint, the live sockets, the application's pages. */
export async function serveSurface(app: FastifyInstance, surface: Surface): Promise<void> {
  const { services, bus, readSession, readKey, metrics, routes, sockets, webDir } = surface
  await bindRoutes(app, routes, { services, readSession, readKey, observe: metrics.observe })
  serveFileLinks(app, services)
  serveRaw(app, rawRoutes, services)
  const running = [startLive({ services, bus, readSession }), ...sockets]
  app.addHook('onClose', (_, done) => {
    for (const { stop } of running) stop()
    done()
  })
  await mountSockets(
    app,
    running.map(({ route }) => route),
  )
  await servePages(app, { webDir, files: services.files })
}

/** @throws StartError when the port is taken or not ours to take */
export async function listen(app: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (cause) {
    throw asStartError(cause, `${host}:${port}`, 'PORT')
  }
}

export function asStartError(cause: unknown, address: string, variable: string): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : ''
  if (code === 'EADDRINUSE') {
    return new StartError(`${address} is in use by another program. Stop it, or set ${variable} to another port.`)
  }
  if (code === 'EACCES') return new StartError(`${address} may not be used by this user. Set ${variable} above 1023.`)
  if (code === 'EADDRNOTAVAIL')
    return new StartError(`${address} is no address of this machine. Set HOST to one that is.`)
  return cause
}
