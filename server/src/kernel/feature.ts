import type { Bus } from './announce'
import type { Services } from './context'
import type { Job } from './jobs'
import type { RawRoute } from './rawRoute'
import type { Route } from './route'
import type { SocketRoute } from './socket'

export type RunningSocket = { route: SocketRoute; stop: () => void }

/** What a domain answers and does by itself, named in its `manifest.ts`. */
export type Feature = {
  routes?: readonly Route[]
  jobs?: readonly Job[]
  /** What others' programs call in their own words. */
  rawRoutes?: readonly RawRoute[]
  /** Each lives in every process that answers calls. */
  sockets?: readonly ((services: Services, bus: Bus) => RunningSocket)[]
  /** What goes on all the time where jobs are run, neither timed nor asked for: telling others what happened. */
  background?: readonly ((services: Services, bus: Bus) => { stop: () => Promise<void> })[]
  /** What every process follows from its start on; each has read once before the process answers anybody. */
  followers?: readonly ((services: Services, bus: Bus) => Promise<{ stop: () => void }>)[]
}
