import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, CommandType } from '@aisle/contract/device/commands'
import { type Ack, classOf, type Envelope, envelope, messageData } from '@aisle/contract/device/messages'
import { downTopic, parseUpTopic } from '@aisle/contract/device/topics'
import { Aedes } from 'aedes'
import { onTestFinished } from 'vitest'
import { systemClock } from './machine/clock'
import { openLink } from './link/link'
import { createMachine, powerOff, powerOn } from './machine/machine'
import { createMailbox } from './link/mailbox'
import { openOutbox } from './link/outbox'
import { type MachinePlan, productionSettings, type Settings, type World } from './world'
import { createWheel } from './machine/wheel'

/** Of a test, and gone after it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A broker with a server behind it that knows the protocol and nothing else: it takes, answers and can be told to. */
export async function openTestServer(options: { secret?: string; port?: number } = {}) {
  const { broker, port, stop } = await openBroker(options.secret ?? 'secret', options.port ?? 0)
  const mail = createMailbox<Envelope>()
  const all: Envelope[] = []
  const say: Answers = { ack: (message) => ({ msgId: message.msgId, state: 'processed' }), priceFen: 350, payUrl: null }
  const publish = (topic: string, body: unknown) =>
    broker.publish(
      { cmd: 'publish', topic, payload: JSON.stringify(body), qos: 1, retain: false, dup: false },
      () => {},
    )
  broker.on('publish', (packet) => {
    const message = readUp(packet.topic, packet.payload)
    if (!message) return
    all.push(message)
    mail.put(message)
    const { machineId, msgId, data } = message
    const ack = classOf(message.type) === 'critical' ? say.ack(message) : null
    if (ack) publish(downTopic(machineId, 'ack'), { acks: [ack] })
    if (message.type !== 'order.request' || say.priceFen === null) return
    const price = { msgId, orderNo: data.orderNo, amountFen: say.priceFen, expiresAt: inAMinute() }
    publish(downTopic(machineId, 'answer'), say.payUrl === null ? price : { ...price, isOffered: true })
    if (say.payUrl !== null) {
      publish(downTopic(machineId, 'answer'), { ...price, isOffered: true, payUrl: say.payUrl })
    }
  })
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    all,
    say,
    stop,
    ofType: (type: string) => all.filter((message) => message.type === type),
    next: (type: string, fits: (message: Envelope) => boolean = () => true) =>
      mail.take((message) => message.type === type && fits(message), 10_000, type),
    command: (code: string, type: CommandType | string, data: Command['data'] = {}, changes: Partial<Command> = {}) => {
      const command = { cmdId: randomUUID(), type, data, expiresAt: inAMinute(), ...changes }
      publish(downTopic(code, 'cmd'), command)
      return command
    },
  }
}

type Answers = {
  /** Null leaves a message without acknowledgement. */
  ack: (message: Envelope) => Ack | null
  priceFen: number | null
  /** What a channel gives to be scanned; null: the machine's own reader takes the money. */
  payUrl: string | null
}

/** Read with the contract's own schemas: what the fleet says must be sayable. */
function readUp(topic: string, payload: string | Buffer): Envelope | null {
  const address = parseUpTopic(topic)
  if (!address) return null
  const message = envelope.parse(JSON.parse(payload.toString()))
  if (message.type in messageData) messageData[message.type as keyof typeof messageData].parse(message.data)
  if (message.machineId !== address.machineCode || message.type !== address.type) throw new Error('wrong topic')
  return message
}

async function openBroker(secret: string, wantedPort: number) {
  const broker = await Aedes.createBroker()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    broker.handle(socket)
  })
  broker.authenticate = (client, username, password, done) => {
    const isRight = client.id === username && password?.toString() === secret
    done(isRight ? null : Object.assign(new Error('wrong'), { returnCode: 4 }), isRight)
  }
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve))
  const address = server.address()
  return {
    broker,
    port: typeof address === 'object' && address ? address.port : 0,
    /** All at once, without a word, as when the broker dies. */
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await new Promise<void>((resolve) => broker.close(() => resolve()))
    },
  }
}

const inAMinute = () => new Date(Date.now() + 60_000).toISOString()

export const plan = (changes: Partial<MachinePlan> = {}): MachinePlan => ({
  code: 'M1001',
  secret: 'secret',
  timeZone: 'Asia/Shanghai',
  category: 'drink',
  takesCash: true,
  slots: ['A1', 'A2', 'A3'].map((code) => ({ code, product: `P-${code}`, priceFen: 350, stock: 5, capacity: 8 })),
  ...changes,
})

/** The same machine as in production, only everything is quick and no goods hang. */
export const quick: Partial<Settings> = {
  payMs: [1, 5],
  touchMs: [1, 5],
  vendMs: [1, 5],
  rebootMs: [1, 5],
  reconnectMs: [20, 100],
  replayWithinMs: 50,
  replayBatchMs: 50,
  checkMs: 20,
  doorMs: 50,
  downloadMs: [10, 30],
  lateMs: [50, 200],
  jamShare: 0,
  abandonShare: 0,
  payLateShare: 0,
  mischiefMs: [5, 50],
}

export async function openTestWorld(settings: Partial<Settings> & { url: string }, folder = newFolder()) {
  const counts: Record<string, number> = {}
  const paid: string[] = []
  const wheel = createWheel(systemClock.steadyMs, 2)
  const outbox = await openOutbox({ folder, steadyMs: systemClock.steadyMs })
  const world: World = {
    clock: systemClock,
    wheel,
    outbox,
    settings: { ...productionSettings, ...quick, ...settings },
    openLink,
    pay: async (payUrl) => {
      paid.push(payUrl)
      return true
    },
    count: (what, howMany = 1) => {
      counts[what] = (counts[what] ?? 0) + howMany
    },
  }
  const driver = setInterval(wheel.advance, 2)
  const machines: ReturnType<typeof createMachine>[] = []
  return {
    world,
    folder,
    counts,
    /** What customers have scanned and paid. */
    paid,
    start: async (changes: Partial<MachinePlan> = {}) => {
      const machine = createMachine(world, plan(changes))
      machines.push(machine)
      await powerOn(machine)
      return machine
    },
    stop: async () => {
      for (const machine of machines) await powerOff(machine, 'test over')
      clearInterval(driver)
      await outbox.close()
    },
    /** As kill -9 would: nothing is said, nothing is flushed. */
    die: () => {
      clearInterval(driver)
      for (const machine of machines) {
        machine.isOn = false
        machine.isUp = false
        const { link } = machine
        machine.link = null
        link?.cut()
      }
    },
  }
}
