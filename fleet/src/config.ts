import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { MachinePlan } from './world'

export type FleetConfig = {
  file: string
  dataDir: string
  /** Null: what the fleet file says, else the broker of this computer. */
  url: string | null
  serverUrl: string
  /** Times what the machines usually sell. */
  rate: number
  machineLimit: number
  seed: number
  jamShare: number
  duplicateShare: number
  reorderShare: number
  offlineShare: number
  skewedShare: number
  updateFailShare: number
  lateShare: number
  silentShare: number
  hotShare: number
  openDoorShare: number
  noChangeShare: number
  replayWithinMs: number
  hasRefills: boolean
  /** A file of things that go wrong in their time; null for none. */
  scenario: string | null
  /** Where the stand-in for payment providers listens; null: none is run. */
  providerPort: number | null
}

export const usage = `fleet: machines that exist only as a program and speak the device protocol (docs/DEVICES.md)
  --file <path>          fleet file [FLEET_FILE, else <data-dir>/demo/fleet.json]
  --url <url>            broker, mqtt:// or mqtts:// [MQTT_URL, else the fleet file's, else mqtt://127.0.0.1:18830]
  --server <url>         of files that commands name by their path [SERVER_URL, else http://127.0.0.1:3000]
  --data-dir <path>      where the outbox is kept [DATA_DIR, else data]
  --rate <n>             times what the machines usually sell [DEMO_RATE, else 1]
  --machines <n>         at most so many of the file [DEMO_MACHINES, else 200]
  --seed <n>             of everything drawn by lot [1]
  --jam <share>          pieces that do not fall [0.01]
  --offline <share>      machines without a network at any time [0.02]
  --duplicates <share>   messages sent twice [0]
  --reorder <share>      messages held back, so that later ones overtake them [0]
  --skew <share>         machines whose clock is wrong by 6 to 20 minutes [0]
  --update-fails <share> software updates that turn out broken [0]
  --late <share>         commands that are answered 5 to 90 seconds late [0]
  --silent <share>       commands that are never answered [0]
  --heat <share>         machines that are 10 °C warmer than they should be [0]
  --door <share>         machines whose door somebody unknown has opened [0]
  --no-change <share>    machines that have run out of change [0]
  --replay-within <s>    a machine that comes back waits up to so long before it tells of the past [10]
  --scenario <path>      what goes wrong, when, with which machines (docs/DEVICES.md)
  --provider-port <n>    runs the stand-in for payment providers there [PROVIDER_PORT, else none]
  --no-refill            nobody fills the machines once a day`

const DEFAULT_URL = 'mqtt://127.0.0.1:18830'

export function readConfig(args: readonly string[], env: Readonly<Record<string, string | undefined>>): FleetConfig {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      file: text,
      url: text,
      server: text,
      'data-dir': text,
      rate: text,
      machines: text,
      seed: text,
      jam: text,
      offline: text,
      duplicates: text,
      reorder: text,
      skew: text,
      'update-fails': text,
      late: text,
      silent: text,
      heat: text,
      door: text,
      'no-change': text,
      'replay-within': text,
      scenario: text,
      'provider-port': text,
      'no-refill': { type: 'boolean' },
    },
  })
  const dataDir = values['data-dir'] ?? env.DATA_DIR ?? 'data'
  return {
    dataDir,
    file: values.file ?? (env.FLEET_FILE || join(dataDir, 'demo', 'fleet.json')),
    url: values.url ?? (env.MQTT_URL || null),
    serverUrl: values.server ?? (env.SERVER_URL || 'http://127.0.0.1:3000'),
    rate: number('rate', values.rate ?? env.DEMO_RATE, 1),
    machineLimit: number('machines', values.machines ?? env.DEMO_MACHINES, 200),
    seed: number('seed', values.seed, 1),
    jamShare: share('jam', values.jam, 0.01),
    offlineShare: share('offline', values.offline, 0.02),
    duplicateShare: share('duplicates', values.duplicates, 0),
    reorderShare: share('reorder', values.reorder, 0),
    skewedShare: share('skew', values.skew, 0),
    updateFailShare: share('update-fails', values['update-fails'], 0),
    lateShare: share('late', values.late, 0),
    silentShare: share('silent', values.silent, 0),
    hotShare: share('heat', values.heat, 0),
    openDoorShare: share('door', values.door, 0),
    noChangeShare: share('no-change', values['no-change'], 0),
    replayWithinMs: number('replay-within', values['replay-within'], 10) * 1000,
    hasRefills: !values['no-refill'],
    scenario: values.scenario ?? null,
    providerPort:
      values['provider-port'] || env.PROVIDER_PORT
        ? number('provider-port', values['provider-port'] ?? env.PROVIDER_PORT, 0)
        : null,
  }
}

function number(name: string, given: string | undefined, otherwise: number): number {
  if (given === undefined || given.trim() === '') return otherwise
  const value = Number(given)
  if (Number.isFinite(value) && value >= 0) return value
  throw new Error(`--${name} must be a number from 0: ${given}`)
}

function share(name: string, given: string | undefined, otherwise: number): number {
  const value = number(name, given, otherwise)
  if (value <= 1) return value
  throw new Error(`--${name} must be a share from 0 to 1: ${given}`)
}

export type FleetFile = { url: string; machines: MachinePlan[] }

/** Whoever starts the fleet may be writing the file at the same time; null as long as it is not there. */
export function readFleetFile(config: FleetConfig): FleetFile | null {
  const text = readIfThere(config.file)
  if (text === null) return null
  const file = JSON.parse(text) as { mqttUrl?: string; machines?: MachinePlan[] }
  if (!Array.isArray(file.machines)) throw new Error(`${config.file} names no machines`)
  const machines = file.machines.slice(0, config.machineLimit)
  for (const machine of machines) checkPlan(config.file, machine)
  return { url: withoutSignIn(config.url ?? file.mqttUrl ?? DEFAULT_URL), machines }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function checkPlan(file: string, plan: MachinePlan): void {
  const { code, secret, timeZone, category, slots } = plan
  const isWhole = [code, secret, timeZone, category].every((text) => typeof text === 'string' && text !== '')
  if (!isWhole || !Array.isArray(slots)) throw new Error(`${file}: machine ${String(code)} is not complete`)
}

/** A server's own name and password in MQTT_URL are not a machine's: it signs in with its code and secret. */
export function withoutSignIn(url: string): string {
  const parsed = new URL(url)
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
