import { sql } from 'kysely'
import pino, { type Logger } from 'pino'
import { migrate } from '../db/migrate'
import { openDatabase } from '../db/open'
import { openPool } from '../db/pool'
import type { Asking } from '../db/prepared'
import { openReplica } from '../db/replica'
import { pointAtStandIn } from '../demo/money/channels'
import { demoJobs, startFilling } from '../demo/life/fill'
import { admitKey } from '../features/events/public'
import { touchSession } from '../features/identity/public'
import { abandonTrial, backupJobs, ensurePartitions } from '../features/system/public'
import { systemClock } from '../kernel/clock'
import type { Services } from '../kernel/context'
import { createApp } from '../transport/http/app'
import { createMetrics, type Metrics, type ReadyChecks, serveHealth } from '../transport/http/health'
import { sessionReader } from '../transport/http/session'
import { type RunningBus, startBus } from '../transport/live/bus'
import { refuseHalfRestored } from './backups'
import { type Config, productVersion, readConfig } from './config'
import { background, followers, jobs, routes, sockets } from './features'
import { addFigures } from './figures'
import { greet, prepare } from './firstStart'
import { freePort, startFleet } from './fleet'
import { openFiles } from './files'
import { closeFolder } from './folder'
import { openGateway, type RunningGateway } from './gateway'
import { checkKeys, openKeys } from './keys'
import { logOptions } from './log'
import { listen, serveSurface } from './serve'
import { type Stops, stopList } from './stops'
import { startTraces } from './traces'
import { startWorker } from './worker'

export type Running = { url: string; stop: () => Promise<void> }

/** The database allows 100 connections over all processes, so each takes few. */
const POOL_SIZE = 12
const REPLICA_POOL_SIZE = 6

/**
 * Starts what `ROLE` asks for and answers once all of it runs. What failed half-way is stopped again.
 * @param say where the lines for the person who started it go
 * @param pages of the application: nothing is served before they are there
 */
export async function run(
  env: Record<string, string | undefined> = process.env,
  say: (line: string) => void = console.log,
  pages: Promise<unknown> = Promise.resolve(),
): Promise<Running> {
  const config = readConfig(env)
  const log = pino(logOptions(config.logLevel))
  const stops = stopList(log)
  try {
    const url = await start(config, log, { stops, say, pages })
    return { url, stop: stops.run }
  } catch (cause) {
    await stops.run()
    throw cause
  }
}

type Start = { stops: Stops; say: (line: string) => void; pages: Promise<unknown> }

async function start(config: Config, log: Logger, { stops, say, pages }: Start): Promise<string> {
  const base = await openBase(config, log, stops)
  const { services, metrics, bus } = base
  const greeting = await prepare(services, config)
  const checks: ReadyChecks = {
    database: async () => (await sql`select 1`.execute(services.db)).rows.length === 1,
    bus: bus.isConnected,
  }
  for (const follow of followers) stops.add('follower', (await follow(services, bus)).stop)
  const gateway = does(config, 'gateway') ? await startMachines(base, config, { checks, stops }) : null
  const app = createApp(log)
  stops.add('http', () => app.close())
  serveHealth(app, checks, { registry: metrics.registry, key: config.metricsKey })
  if (does(config, 'api')) {
    const readSession = sessionReader(base.pool, log, touchSession(services.db))
    await pages
    const read = { readSession, readKey: (key: string) => admitKey(services, key) }
    const running = sockets.map((start) => start(services, bus))
    await serveSurface(app, { services, bus, ...read, metrics, routes, sockets: running, webDir: config.webDir })
  }
  const url = await listen(app, config)
  for (const line of greet(greeting, url, config)) say(line)
  await startBackground(base, config, { stops, url, gateway })
  return url
}

type Base = {
  services: Services
  metrics: Metrics
  bus: RunningBus
  pool: Parameters<typeof sessionReader>[0]
  databaseUrl: string
  /** Nobody else uses the database that lies in `dataDir`. */
  isOurs: boolean
}

/** Database, schema, keys: nothing else starts before these are right. */
async function openBase(config: Config, log: Logger, stops: Stops): Promise<Base> {
  closeFolder(config.dataDir)
  await refuseHalfRestored(config.dataDir)
  const keys = openKeys(config.dataDir, config.keys)
  const database = await openDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, log })
  stops.add('database', database.stop)
  // A pooler hands each transaction another connection: what outlives one goes past it.
  const directUrl = config.databaseDirectUrl ?? database.url
  await migrate(directUrl, log)
  const traces = config.tracesUrl ? await startTraces(config.tracesUrl, log) : null
  if (traces) stops.add('traces', traces.stop)
  const trace = traces?.trace
  const asking = { trace, isPrepared: config.isPrepared }
  const pool = openPool(database.url, POOL_SIZE, (err) => log.warn({ err }, 'idle connection lost'), asking)
  stops.add('pool', pool.close)
  await checkKeys(pool.db, keys, config)
  await ensurePartitions(pool.db, systemClock.now())
  const bus = await startBus(directUrl, log)
  stops.add('bus', bus.stop)
  const files = await openFiles(config)
  const replica = readsFrom(config, pool.raw, asking, log)
  if (replica) stops.add('replica', replica.stop)
  const services = { db: pool.db, clock: systemClock, log, keys, dataDir: config.dataDir, files, replica, trace }
  const metrics = createMetrics(pool.raw)
  addFigures(metrics, services, pool.raw)
  return {
    services,
    metrics,
    bus,
    pool: pool.raw,
    databaseUrl: directUrl,
    isOurs: database.embedded,
  }
}

function readsFrom({ databaseReadUrl: url }: Config, primary: Base['pool'], asking: Asking, log: Logger) {
  if (!url) return undefined
  const warn = (text: string, err?: unknown) => log.warn({ err }, text)
  return openReplica(primary, { url, max: REPLICA_POOL_SIZE, clock: systemClock, warn, asking })
}

type Started = { checks: ReadyChecks; stops: Stops }

/** Before the first page: in front of machines customers stand whose sale waits to be acknowledged. */
async function startMachines(base: Base, config: Config, { checks, stops }: Started): Promise<RunningGateway> {
  const gateway = await openGateway(base.services, base.bus, config, base.databaseUrl)
  stops.add('gateway', gateway.stop)
  checks.broker = gateway.isReady
  base.metrics.addGauge('aisle_machine_messages_waiting', 'Messages of machines not yet taken in', gateway.depth)
  return gateway
}

type Background = { stops: Stops; url: string; gateway: RunningGateway | null }

/** After the first page can be served: jobs, and the demo's machines. */
async function startBackground(base: Base, config: Config, { stops, url, gateway }: Background): Promise<void> {
  const { services, bus, databaseUrl, isOurs } = base
  if (does(config, 'worker')) {
    const own = { url: databaseUrl, isEmbedded: isOurs, dataDir: config.dataDir, product: productVersion() }
    const all = [...jobs, ...backupJobs(own)]
    const worker = await startWorker(services, config.demo ? demoJobs(all) : all, { databaseUrl, isOurs })
    stops.add('worker', worker.stop)
    for (const begin of background) stops.add('background', begin(services, bus).stop)
    stops.add('trial of a backup', abandonTrial)
  }
  if (!config.demo || !gateway) return
  const providerPort = await freePort(config.demo.providerPort)
  await pointAtStandIn(services.db, { url: `http://127.0.0.1:${providerPort}`, address: nearUrl(url) })
  const place = { dataDir: config.dataDir, mqttUrl: gateway.mqttUrl, providerPort, serverUrl: nearUrl(url) }
  const fleet = startFleet(config.demo, place, services.log)
  stops.add('fleet', fleet.stop)
  stops.add('history', startFilling(services).stop)
}

/** The stand-in runs beside us and can't call an address that stands for all of them. */
const nearUrl = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=[:/]|$)/, '//127.0.0.1')

const does = ({ role }: Config, part: 'api' | 'gateway' | 'worker') => role === 'all' || role === part
