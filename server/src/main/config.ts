import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedPasswords } from '@aisle/contract/identity/weakPassword'
import { z } from 'zod'
import type { StorePlace } from '../kernel/files/store.s3'

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
  /** Where files are kept instead of there: a bucket of an S3-compatible store. */
  store: StorePlace | undefined
  databaseUrl: string | undefined
  /** A connection of one's own where `databaseUrl` is a pooler's: to listen, to hold locks, to migrate. */
  databaseDirectUrl: string | undefined
  /** A streaming replica for reports, exports and the parts of boards. */
  databaseReadUrl: string | undefined
  /** Whether statements get names; an older pooler in transaction mode loses them. */
  isPrepared: boolean
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
  /** Where an OpenTelemetry collector takes traces over HTTP; unset, there are none. */
  tracesUrl: string | undefined
  /** The keys themselves, or a file that is mounted; without either they lie in `dataDir`. */
  keys: GivenKeys | undefined
  /** The built web application. */
  webDir: string
}

/** What was wrong with the start, in words for the person who started it. */
export class StartError extends Error {}

const port = z.coerce.number().int().min(0).max(65_535)
const database = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(8080),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: database.optional(),
  DATABASE_DIRECT_URL: database.optional(),
  DATABASE_READ_URL: database.optional(),
  DATABASE_PREPARED: z.enum(['0', '1']).default('1'),
  FILES_URL: z
    .string()
    .regex(/^https?:\/\/[^/?#@]+\/[^/?#]+$/, 'must be the address of a bucket, https://host/bucket')
    .optional(),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  AWS_REGION: z.string().min(1).default('us-east-1'),
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
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
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
    store: data.FILES_URL ? storeOf(data, data.FILES_URL) : undefined,
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    databaseReadUrl: data.DATABASE_READ_URL,
    isPrepared: data.DATABASE_PREPARED === '1',
    mqttPort: data.MQTT_PORT,
    mqttUrl: data.MQTT_URL,
    isMqttShared: data.MQTT_SHARED === '1',
    demo: demoOf(data),
    demoPassword: data.DEMO_PASSWORD,
    role: data.ROLE,
    metricsKey: data.METRICS_KEY,
    logLevel: data.LOG_LEVEL,
    tracesUrl: data.OTEL_EXPORTER_OTLP_ENDPOINT,
    keys: keysOf(data),
    webDir: data.AISLE_WEB ? resolve(data.AISLE_WEB) : join(packageFolder(), '../web/dist'),
  }
}

/** Its keys bear the names that every program of its kind reads. */
function storeOf(data: z.output<typeof environment>, url: string): StorePlace {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: region } = data
  if (accessKeyId && secretAccessKey) return { url, accessKeyId, secretAccessKey, region }
  throw new StartError('FILES_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
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
