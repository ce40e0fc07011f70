import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedPasswords } from '@aisle/contract/identity/weakPassword'
import { z } from 'zod'

export const roles = ['all', 'api', 'gateway', 'worker'] as const
export type Role = (typeof roles)[number]

export type Demo = {
  machines: number
  /** How far back its history goes. */
  days: number
  /** Times what the simulated machines usually sell. */
  rate: number
  password: string
  isPasswordOwn: boolean
  /** Of the stand-in for payment providers; 0: any that is free. */
  providerPort: number
}

export type GivenKeys = { text: string } | { file: string }

export type Config = {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  mqttPort: number
  mqttUrl: string | undefined
  /** Whether that broker knows shared subscriptions; else one gateway listens and the others stand by. */
  isMqttShared: boolean
  demo: Demo | null
  /** `DEMO_PASSWORD`, which accounts of a demo that was get without one too. */
  demoPassword: string | undefined
  role: Role
  /** Whoever shows it may read `/metrics`; unset, nobody. */
  metricsKey: string | undefined
  logLevel: string
  /** The keys themselves, or a file that is mounted; without either they lie in `dataDir`. */
  keys: GivenKeys | undefined
  /** The built web application. */
  webDir: string
}

/** What was wrong with the start, in words for the person who started it. */
export class StartError extends Error {}

const port = z.coerce.number().int().min(0).max(65_535)
const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(8080),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  MQTT_PORT: port.default(18_830),
  MQTT_URL: z
    .string()
    .regex(/^(mqtts?|wss?):\/\//, 'must begin with mqtt:// or mqtts://')
    .optional(),
  MQTT_SHARED: z.enum(['0', '1']).default('1'),
  DEMO: z.enum(['0', '1']).default('0'),
  DEMO_MACHINES: z.coerce.number().int().min(1).max(10_000).default(200),
  DEMO_DAYS: z.coerce.number().int().min(1).max(60).default(30),
  DEMO_RATE: z.coerce.number().min(0).max(60_000).default(1),
  PROVIDER_PORT: port.default(0),
  DEMO_PASSWORD: z.string().min(8).max(128).optional(),
  ROLE: z.enum(roles).default('all'),
  METRICS_KEY: z.string().min(16).max(128).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('warn'),
  AISLE_KEYS: z.string().min(1).optional(),
  AISLE_KEYS_FILE: z.string().min(1).optional(),
  AISLE_WEB: z.string().min(1).optional(),
})

/** @throws StartError naming every variable that is wrong */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new StartError(`The environment is not right.\n${lines.join('\n')}`)
  }
  const { data } = parsed
  return {
    host: data.HOST,
    port: data.PORT,
    dataDir: resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    mqttPort: data.MQTT_PORT,
    mqttUrl: data.MQTT_URL,
    isMqttShared: data.MQTT_SHARED === '1',
    demo: demoOf(data),
    demoPassword: data.DEMO_PASSWORD,
    role: data.ROLE,
    metricsKey: data.METRICS_KEY,
    logLevel: data.LOG_LEVEL,
    keys: keysOf(data),
    webDir: data.AISLE_WEB ? resolve(data.AISLE_WEB) : join(packageFolder(), '../web/dist'),
  }
}

function keysOf({ AISLE_KEYS, AISLE_KEYS_FILE }: z.output<typeof environment>): GivenKeys | undefined {
  if (AISLE_KEYS && AISLE_KEYS_FILE) throw new StartError('Set AISLE_KEYS or AISLE_KEYS_FILE, not both.')
  if (AISLE_KEYS) return { text: AISLE_KEYS }
  return AISLE_KEYS_FILE ? { file: resolve(AISLE_KEYS_FILE) } : undefined
}

/** A demo has accounts whose password everybody knows, so it is not shown to a network by mistake. */
function demoOf(data: z.output<typeof environment>): Demo | null {
  if (data.DEMO === '0') return null
  const password = data.DEMO_PASSWORD ?? shippedPasswords[0] ?? ''
  if (shippedPasswords.includes(password) && !isLoopback(data.HOST)) {
    throw new StartError(
      `DEMO=1 on HOST=${data.HOST} would offer accounts with a known password to the network. ` +
        'Set DEMO_PASSWORD to one of your own, or HOST=127.0.0.1, or DEMO=0.',
    )
  }
  return {
    machines: data.DEMO_MACHINES,
    days: data.DEMO_DAYS,
    rate: data.DEMO_RATE,
    password,
    isPasswordOwn: data.DEMO_PASSWORD !== undefined,
    providerPort: data.PROVIDER_PORT,
  }
}

export const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** The server's package, from its sources and from its bundle alike. */
export function packageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes('"@aisle/server"')) return folder
    if (folder === dirname(folder)) throw new StartError('The package @aisle/server was not found around this file.')
  }
}

/** Of this product, as its package says. */
export function productVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }
  return manifest.version
}
