import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openWire, type Wire } from './cut'
import { answering, end, freePort, repository } from './server'

const entry = join(repository, 'server/dist/main.js')

export type Broker = { name: string; port: number; isShared: boolean; stop: () => Promise<void> }

/** Those of Mosquitto and NATS that this machine has, each started on a port of its own. */
export const brokers: { name: string; start: () => Promise<Broker | undefined> }[] = [
  { name: 'mosquitto', start: () => startBroker('mosquitto', true, mosquitto) },
  { name: 'nats-server', start: () => startBroker('nats-server', false, nats) },
]

const mosquitto = (folder: string, port: number): string[] => {
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'max_queued_messages 0',
    'max_inflight_messages 0',
  ]
  writeFileSync(join(folder, 'broker.conf'), `${lines.join('\n')}\n`)
  return ['-c', join(folder, 'broker.conf')]
}
const nats = (folder: string, port: number): string[] => {
  const lines = ['server_name: rig', 'host: 127.0.0.1', 'port: -1', `jetstream { store_dir: "${folder}" }`]
  const text = [...lines, `mqtt { host: 127.0.0.1, port: ${port} }`, ''].join('\n')
  writeFileSync(join(folder, 'broker.conf'), text)
  return ['-c', join(folder, 'broker.conf')]
}

async function startBroker(
  name: string,
  isShared: boolean,
  prepare: (folder: string, port: number) => string[],
): Promise<Broker | undefined> {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }
  if (spawnSync(name, ['-h'], { env, stdio: 'ignore' }).error) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'aisle-broker-'))
  const port = await freePort()
  const child = spawn(name, prepare(folder, port), { env, stdio: 'ignore' })
  await delay(1_000)
  const stop = async () => {
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  return { name, port, isShared, stop }
}

export type Node = {
  port: number
  /** Between it and its database and broker. */
  wires: readonly Wire[]
  kill: () => void
  pause: () => void
  goOn: () => void
  /** After it was killed. @returns once it is ready */
  again: () => Promise<void>
  stop: () => Promise<void>
}

export type Shared = { databaseUrl: string; broker: Broker; keysFile: string; folder: string }

/** One of several servers that do all of it, each with a network of its own that can be cut. */
export async function startNode(index: number, { databaseUrl, broker, keysFile, folder }: Shared): Promise<Node> {
  const [database, machines] = [await openWire(Number(new URL(databaseUrl).port)), await openWire(broker.port)]
  const url = new URL(databaseUrl)
  url.port = String(database.port)
  const port = await freePort()
  const dataDir = join(folder, `node-${index}`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const reaches = { DATABASE_URL: url.href, MQTT_URL: `mqtt://127.0.0.1:${machines.port}` }
  const is = { DATA_DIR: dataDir, AISLE_KEYS_FILE: keysFile, PORT: String(port), DEMO: '0', ROLE: 'all' }
  const env = { ...reaches, ...is, MQTT_SHARED: broker.isShared ? '1' : '0', LOG_LEVEL: 'error' }
  const start = () => spawn(process.execPath, [entry], { env: { ...process.env, ...env }, stdio: 'ignore' })
  const ready = (of: ChildProcess) => answering(`http://127.0.0.1:${port}/readyz`, of)
  let child = start()
  await ready(child)
  return {
    port,
    wires: [database, machines],
    kill: () => void child.kill('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    again: async () => {
      child = start()
      await ready(child)
    },
    stop: async () => {
      child.kill('SIGCONT')
      await end(child)
      for (const wire of [database, machines]) wire.close()
    },
  }
}
