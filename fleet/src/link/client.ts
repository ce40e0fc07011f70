import type { Command } from '@aisle/contract/device/commands'
import type { Ack, Answer, Envelope, MessageData, OrderAnswer } from '@aisle/contract/device/messages'
import { downTopic, upTopic } from '@aisle/contract/device/topics'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { sendAtOnce } from '../atOnce'
import { type Clock, isoAt, systemClock } from '../machine/clock'
import { newBoot, seal } from './envelope'
import { readAcks, readAnswer, readCommand } from './incoming'
import { createMailbox, type Mailbox } from './mailbox'

export type DeviceOptions = {
  url: string
  code: string
  secret: string
  /** Both the code when not given; others are for trying to be somebody else. */
  clientId?: string
  username?: string
  timeZone?: string
  hasWill?: boolean
  /** False: signs in without listening. */
  isListening?: boolean
  clock?: Clock
  /** Takes the acknowledgements instead of keeping them for `acked`, for a client that sends millions. */
  onAcks?: (acks: Ack[]) => void
}

/** One machine by hand, for tests and benches: no outbox, no resending, nothing that the caller did not ask for. */
export type Device = Awaited<ReturnType<typeof connectDevice>>

type Publish = (topic: string, payload: string | Buffer, options?: { retain?: boolean }) => Promise<void>
type Changes = Partial<Envelope>

const PATIENCE_MS = 5_000

/** Rejects when the broker refuses the sign-in. */
export async function connectDevice(options: DeviceOptions) {
  const { code, clock = systemClock, timeZone = 'Asia/Shanghai' } = options
  const boot = newBoot(clock.wallMs(), clock.steadyMs())
  /** `changes` overwrites fields of the envelope, so that the same message can be sent again, or a forged one. */
  const compose = (type: string, data: Record<string, unknown>, changes: Changes = {}): Envelope => ({
    ...seal(boot, clock.wallMs(), { code, timeZone, type, data, offline: false }),
    sentAt: isoAt(clock.wallMs(), timeZone),
    ...changes,
  })
  const will = JSON.stringify(compose('presence', { online: false, reason: 'connection lost' }, { seq: 0 }))
  const client = await mqtt.connectAsync(options.url, signIn(options, will), false)
  client.on('error', () => {})
  sendAtOnce(client)
  const closed = new Promise<void>((resolve) => client.once('close', resolve))
  const { acks, answers, commands, raw } = sortMail(client, options)
  const publish = publisher(client, closed)

  /** True when the broker lets it listen there. */
  const subscribe = async (filter: string): Promise<boolean> => {
    const granted = await client.subscribeAsync(filter, { qos: 1 }).catch(() => null)
    return granted?.every((grant) => grant.qos < 128) ?? false
  }

  const send = async (type: string, data: Record<string, unknown>, changes: Changes = {}) => {
    const message = compose(type, data, changes)
    await publish(upTopic(code, type), JSON.stringify(message))
    return message
  }

  const acked = (msgId: string, withinMs = PATIENCE_MS) =>
    acks.take((ack) => ack.msgId === msgId, withinMs, `an acknowledgement of ${msgId}`)

  if (options.isListening !== false) await subscribe(`${downTopic(code, 'cmd').slice(0, -'cmd'.length)}+`)

  return {
    code,
    boot,
    closed,
    compose,
    publish,
    subscribe,
    send,
    acked,
    sendAndAck: async (type: string, data: Record<string, unknown>, changes: Changes = {}): Promise<Ack> =>
      acked((await send(type, data, changes)).msgId),
    ...asker(send, answers),
    /** The next command that nobody took yet. */
    command: (type?: string, withinMs = PATIENCE_MS): Promise<Command> =>
      commands.take((command) => !type || command.type === type, withinMs, `a command ${type ?? ''}`),
    /** Everything that came down, each once, oldest first. */
    received: (topic: string, withinMs = PATIENCE_MS) =>
      raw.take((message) => message.topic === topic, withinMs, `a message on ${topic}`),
    /** As when the cable is pulled: the broker speaks the last will. */
    cut: () => {
      client.stream.destroy()
    },
    close: () => client.endAsync(),
  }
}

type Send = (type: string, data: Record<string, unknown>) => Promise<Envelope>

/** What a machine asks, and what it is answered. */
const asker = (send: Send, answers: Mailbox<Answer>) => ({
  /** The answer may be a price or a refusal. */
  request: async (data: MessageData<'order.request'>, withinMs = PATIENCE_MS): Promise<OrderAnswer> => {
    const { msgId } = await send('order.request', data)
    const answer = await answers.take(isTo(msgId), withinMs, `an answer to ${data.orderNo}`)
    return answer as OrderAnswer
  },
  /** What a pick-up code gives, or what a card may pay. */
  check: async (type: 'pickup.check' | 'card.check', code: string, withinMs = PATIENCE_MS): Promise<Answer> => {
    const { msgId } = await send(type, { code })
    return answers.take(isTo(msgId), withinMs, `an answer to ${type}`)
  },
  /** What is said of an order after its price: what is to be scanned, or what a play came to. */
  answerAfter: async (orderNo: string, withinMs = PATIENCE_MS): Promise<OrderAnswer> => {
    const fits = (answer: Answer) => 'orderNo' in answer && answer.orderNo === orderNo
    return (await answers.take(fits, withinMs, `a second answer to ${orderNo}`)) as OrderAnswer
  },
})

const isTo = (msgId: string) => (answer: Answer) => answer.msgId === msgId

function signIn(options: DeviceOptions, will: string): IClientOptions {
  const { code, secret, clientId = code, username = code, hasWill = false } = options
  const topic = upTopic(code, 'presence')
  return {
    clientId,
    username,
    password: secret,
    clean: true,
    keepalive: 60,
    reconnectPeriod: 0,
    ...(hasWill ? { will: { topic, payload: Buffer.from(will), qos: 1 } } : {}),
  }
}

function sortMail(client: MqttClient, { code, onAcks }: DeviceOptions) {
  const acks = createMailbox<Ack>()
  const answers = createMailbox<Answer>()
  const commands = createMailbox<Command>()
  const raw = createMailbox<{ topic: string; text: string }>()
  client.on('message', (topic, payload) => {
    const given = topic === downTopic(code, 'ack') ? (readAcks(payload) ?? []) : []
    if (onAcks && given.length > 0) return onAcks(given)
    raw.put({ topic, text: payload.toString('utf8') })
    given.forEach(acks.put)
    const answer = topic === downTopic(code, 'answer') ? readAnswer(payload) : null
    if (answer) answers.put(answer)
    const command = topic === downTopic(code, 'cmd') ? readCommand(payload) : null
    if (command) commands.put(command)
  })
  return { acks, answers, commands, raw }
}

/** Any topic, any bytes; settles when the broker has it, rejects when the broker hangs up instead. */
function publisher(client: MqttClient, closed: Promise<void>): Publish {
  const underWay = new Set<() => void>()
  void closed.then(() => underWay.forEach((hangUp) => hangUp()))
  return (topic, payload, options = {}) =>
    new Promise((resolve, reject) => {
      const hangUp = () => reject(new Error(`the broker closed the connection on ${topic}`))
      if (!client.connected) return hangUp()
      underWay.add(hangUp)
      client.publish(topic, payload, { qos: 1, ...options }, (error) => {
        underWay.delete(hangUp)
        if (error) reject(error)
        else resolve()
      })
    })
}
