import { createServer, type Socket } from 'node:net'
import { MAX_MESSAGE_BYTES } from '@aisle/contract/device/messages'
import { mayPublish, maySubscribe } from '@aisle/contract/device/topics'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import type { MachineGate, MachineLink, RawMessage } from '../../kernel/machineLink'
import { announced, openStrangers, type StrangerLimits, strangerLimits, type Strangers } from './strangers'

/** Return codes of MQTT 3.1.1. */
const SERVER_UNAVAILABLE = 3
const NOT_AUTHORISED = 5

/** The broker inside the process: enough for a site of some thousand machines; MQTT_URL names a bigger one. */
export async function openEmbeddedBroker(
  host: string,
  port: number,
  gate: MachineGate,
  limits: StrangerLimits = strangerLimits,
): Promise<MachineLink> {
  const broker = await Aedes.createBroker({ concurrency: 500, heartbeatInterval: 60_000, connectTimeout: 10_000 })
  const strangers = openStrangers(limits)
  const server = createServer({ noDelay: true }, limited(broker, gate, { limits, strangers }))
  const clients = new Map<string, Client>()
  broker.on('client', (client) => clients.set(client.id, client))
  broker.on('clientDisconnect', (client) => clients.get(client.id) === client && clients.delete(client.id))
  let handler: (message: RawMessage) => void = () => undefined
  guard(broker, gate)
  broker.on('publish', (packet, client) => {
    if (client) handler({ topic: packet.topic, payload: Buffer.from(packet.payload), sender: client.id })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    onMessage: (next) => {
      handler = next
    },
    publish: (topic, payload) =>
      broker.publish(
        { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain: false, dup: false },
        () => undefined,
      ),
    drop: (machineCode) => clients.get(machineCode)?.close(),
    isReady: () => server.listening,
    stop: async () => {
      strangers.turnOutAll()
      await new Promise<void>((resolve) => broker.close(() => resolve()))
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Client id = username = the machine's code; it may publish and subscribe only below its own topic. */
function guard(broker: Aedes, gate: MachineGate): void {
  // No session outlives its connection: a command that was kept here would turn a motor in front of nobody.
  broker.preConnect = (_, packet, done) => {
    packet.clean = true
    done(null, true)
  }
  broker.authenticate = (client, username, password, done) => {
    const code = username ?? ''
    if (client.id !== code) return done(wrongSecret(), false)
    gate.mayConnect(code, password?.toString() ?? '').then(
      (may) => done(may ? null : wrongSecret(), may),
      // The database is away: a machine that heard of a wrong secret would wait a minute with the next attempt.
      () => done(turnedAway('nobody can say now', SERVER_UNAVAILABLE), false),
    )
  }
  broker.authorizePublish = (client, packet, done) => {
    if (!client || (mayPublish(client.id, packet.topic) && !packet.retain)) return done(null)
    gate.onForbidden(client.id, packet.topic)
    done(new Error('not your topic'))
  }
  broker.authorizeSubscribe = (client, subscription, done) => {
    if (client && maySubscribe(client.id, subscription.topic)) return done(null, subscription)
    if (client) gate.onForbidden(client.id, subscription.topic)
    done(null, null)
  }
}

const turnedAway = (why: string, returnCode: number): AuthenticateError =>
  Object.assign(new Error(why), { returnCode }) as AuthenticateError
const wrongSecret = () => turnedAway('wrong code or secret', NOT_AUTHORISED)

/** Far more than a message and all that may come along in one go; a packet may announce 256 MB, and would be kept. */
const MOST_AT_ONCE_BYTES = 16 * MAX_MESSAGE_BYTES

/** Takes connections for the broker, and ends those that send on and on without a packet that is whole. */
function limited(
  broker: Aedes,
  gate: MachineGate,
  { limits, strangers }: { limits: StrangerLimits; strangers: Strangers },
): (socket: Socket) => void {
  /** How many bytes each had sent with its last whole packet, and who it is once it has signed in. */
  const heard = new WeakMap<object, { bytes: number; code: string; socket: Socket }>()
  const whole = (client: Client | null) => {
    const known = client && heard.get(client.conn)
    if (client && known) Object.assign(known, { bytes: known.socket.bytesRead, code: client.id })
  }
  broker.on('client', (client) => {
    whole(client)
    const known = heard.get(client.conn)
    if (known) strangers.leave(known.socket)
  })
  broker.on('publish', (_, client) => whole(client))
  broker.on('subscribe', (_, client) => whole(client))
  broker.on('unsubscribe', (_, client) => whole(client))
  broker.on('ping', (_, client) => whole(client))
  broker.on('ack', (_, client) => whole(client))
  return (socket) => {
    const known = { bytes: 0, code: '', socket }
    heard.set(socket, known)
    strangers.enter(socket)
    // Until the broker has it nobody else hears of it.
    const ignore = () => undefined
    socket.on('error', ignore)
    socket.on('readable', () => {
      if (socket.destroyed) return
      // Whoever has not signed in is nobody's machine: there is no page on which it would be noted.
      if (strangers.has(socket) && socket.bytesRead > limits.bytes) return void socket.destroy()
      if (socket.bytesRead - known.bytes <= MOST_AT_ONCE_BYTES) return
      gate.onTooLarge(known.code, socket.bytesRead - known.bytes)
      socket.destroy()
    })
    socket.once('readable', () => {
      const start: unknown = socket.destroyed ? null : socket.read()
      if (!Buffer.isBuffer(start)) return
      const first = announced(start)
      if (first && (!first.isConnect || first.bytes > limits.bytes)) return void socket.destroy()
      socket.unshift(start)
      broker.handle(socket)
    })
  }
}
