import { fstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from './machine/clock'
import { type FleetConfig, type FleetFile, readConfig, readFleetFile, usage } from './config'
import { startFleet } from './fleet'
import { startProvider } from './provider/start'

const REPORT_MS = 60_000
const FILE_POLL_MS = 1_000
const FILE_PATIENCE_MS = 180_000
const STOP_MS = 10_000

if (process.argv.includes('--help')) {
  console.log(usage)
  process.exit(0)
}
const stopping = new AbortController()
watchSignals()
watchParent()
await run()

async function run(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env)
  const file = await waitForFile(config)
  if (!file) return
  const provider = await startProvider(config, systemClock)
  const fleet = await startFleet(config, file, systemClock)
  log('started', {
    machines: fleet.machines.length,
    rate: config.rate,
    broker: file.url,
    provider: provider?.url,
  })
  const report = setInterval(() => log('minute', fleet.report()), REPORT_MS)
  await once(stopping.signal)
  clearInterval(report)
  const patience = setTimeout(() => {
    log('stop.unclean', fleet.report())
    process.exit(1)
  }, STOP_MS)
  await fleet.stop()
  await provider?.stop()
  clearTimeout(patience)
  log('stopped', fleet.report())
  process.exit(0)
}

/** The server writes the file when it fills the demo's database, which may take a while at the first start. */
async function waitForFile(config: FleetConfig): Promise<FleetFile | null> {
  const untilMs = systemClock.steadyMs() + FILE_PATIENCE_MS
  while (!stopping.signal.aborted) {
    const file = readFleetFile(config)
    if (file) return file
    if (systemClock.steadyMs() > untilMs) throw new Error(`no fleet file at ${config.file}`)
    await sleep(FILE_POLL_MS)
  }
  return null
}

function watchSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort())
}

/**
 * A child must not outlive whoever started it. Node gives a child a channel or a socket for its input; a terminal,
 * a file, a shell's pipe and /dev/null are none of these and mean nothing when they end.
 */
function watchParent(): void {
  process.on('disconnect', () => stopping.abort())
  if (!fstatSync(0).isSocket()) return
  process.stdin.on('end', () => stopping.abort()).on('error', () => stopping.abort())
  process.stdin.resume()
}

function once(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function log(event: string, facts: Record<string, unknown>): void {
  console.log(JSON.stringify({ time: new Date(systemClock.wallMs()).toISOString(), part: 'fleet', event, ...facts }))
}
