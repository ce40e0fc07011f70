import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { type Demo, packageFolder } from './config'

export type Fleet = { stop: () => Promise<void> }

const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000
/** After this long a fleet counts as healthy, and its next end starts over with a short wait. */
const HEALTHY_AFTER_MS = 60_000
const STOP_WITHIN_MS = 2_000

export type FleetPlace = { dataDir: string; mqttUrl: string; providerPort: number; serverUrl: string }

/** The simulated machines of the demo, as a process of their own that speaks to us as real ones do. */
export function startFleet(demo: Demo, { dataDir, mqttUrl, providerPort, serverUrl }: FleetPlace, log: Logger): Fleet {
  const script = join(packageFolder(), '../fleet/dist/main.js')
  if (!existsSync(script)) {
    log.warn('the simulated fleet is not built; run npm run build')
    return { stop: async () => undefined }
  }
  const env = {
    ...process.env,
    FLEET_FILE: join(dataDir, 'demo/fleet.json'),
    MQTT_URL: mqttUrl,
    SERVER_URL: serverUrl,
    DATA_DIR: dataDir,
    DEMO_MACHINES: String(demo.machines),
    DEMO_RATE: String(demo.rate),
    PROVIDER_PORT: String(providerPort),
  }
  let retryMs = FIRST_RETRY_MS
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let child = start()

  function start() {
    const startedMs = performance.now()
    // Its input is a pipe that ends with us, so a killed server leaves no fleet behind.
    const fresh = spawn(process.execPath, [script], { env, stdio: 'pipe' })
    fresh.once('error', (err) => log.warn({ err }, 'the simulated fleet did not start'))
    createInterface(fresh.stdout).on('line', (line) => log.info({ fleet: line }, 'fleet'))
    createInterface(fresh.stderr).on('line', (line) => log.warn({ fleet: line }, 'fleet'))
    fresh.once('exit', (code, signal) => {
      if (isStopped) return
      if (performance.now() - startedMs > HEALTHY_AFTER_MS) retryMs = FIRST_RETRY_MS
      log.warn({ code, signal, retryMs }, 'the simulated fleet ended; starting it again')
      timer = setTimeout(() => {
        child = start()
      }, retryMs)
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
    })
    return fresh
  }

  const stop = async () => {
    isStopped = true
    clearTimeout(timer)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    await ended
    clearTimeout(killer)
  }
  return { stop }
}

/** For the stand-in provider, which must be found again where it was when the fleet is started anew. */
export async function freePort(wanted: number): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wanted, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return typeof address === 'object' && address ? address.port : wanted
}
