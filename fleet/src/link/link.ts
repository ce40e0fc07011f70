import { downTopic } from '@aisle/contract/device/topics'
import { connect, type IClientOptions } from 'mqtt'
import { sendAtOnce } from '../atOnce'
import type { Wheel } from '../machine/wheel'

export type Channel = 'cmd' | 'answer' | 'ack'

export type LinkEvents = {
  /** Signed in and listening; nothing that the server says from now on is missed. */
  up(): void
  /** Once, also when it never came up. */
  down(reason: string): void
  message(channel: Channel, payload: Buffer): void
}

export type Link = {
  publish(topic: string, payload: string): void
  /** As when the cable is pulled: the broker finds out and speaks the last will. */
  cut(): void
  /** Leaves in good order: what is under way is finished, the last will is not spoken. */
  close(): Promise<void>
}

export type LinkOptions = {
  url: string
  code: string
  secret: string
  will: { topic: string; payload: string }
  wheel: Wheel
}

/** Sign-in refused, in the words of MQTT 3.1.1 (4, 5) and 5 (134, 135). */
const refusedCodes = [4, 5, 134, 135]
export const SIGN_IN_REFUSED = 'sign-in refused'

/**
 * One connection for one life: when it ends, another is opened, with a new last will. The session is clean because
 * the broker shall remember nothing for a machine: the outbox holds what the machine has to say, the server holds
 * the commands, and a ship command that a broker kept would turn a motor long after the customer left.
 */
export function openLink(options: LinkOptions, events: LinkEvents): Link {
  let isOver = false
  let reason = 'connection closed'
  const client = connect(options.url, mqttOptions(options))
  const over = () => {
    if (isOver) return
    isOver = true
    client.end(true)
    events.down(reason)
  }
  client.on('connect', () => {
    sendAtOnce(client)
    client.subscribe(downTopic(options.code, 'cmd').replace(/cmd$/, '+'), { qos: 1 }, (error) => {
      if (isOver) return
      if (error) {
        reason = error.message
        over()
        return
      }
      events.up()
    })
  })
  client.on('message', (topic, payload) => {
    const channel = topic.slice(topic.lastIndexOf('/') + 1)
    if (!isOver && (channel === 'cmd' || channel === 'answer' || channel === 'ack')) events.message(channel, payload)
  })
  client.on('error', (error) => {
    const code = 'code' in error ? error.code : null
    reason = refusedCodes.some((refused) => refused === code) ? SIGN_IN_REFUSED : error.message || String(code)
    over()
  })
  client.on('close', over)
  return {
    publish: (topic, payload) => {
      if (!isOver) client.publish(topic, payload, { qos: 1, retain: false }, ignoreOutcome)
    },
    cut: () => {
      client.stream.destroy()
      over()
    },
    close: () =>
      new Promise((resolve) => {
        isOver = true
        // Without a connection there is nobody to say goodbye to, and nothing to wait for.
        if (!client.connected) resolve()
        client.end(!client.connected, {}, () => resolve())
      }),
  }
}

/** The broker's word is no acknowledgement, and a message that a lost connection took along is sent again anyway. */
const ignoreOutcome = () => {}

function mqttOptions({ code, secret, will, wheel }: LinkOptions): IClientOptions {
  return {
    clientId: code,
    username: code,
    password: secret,
    keepalive: 60,
    clean: true,
    // Reconnecting is the machine's own decision, with its own waits.
    reconnectPeriod: 0,
    connectTimeout: 20_000,
    // Else the library keeps a buffer for each of 65,536 packet numbers: 6 MB to save nothing here.
    writeCache: false,
    resubscribe: false,
    will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: false },
    timerVariant: keepaliveOn(wheel),
  }
}

/** The library would start a timer of its own for each connection; it gets a place on the wheel instead. */
function keepaliveOn(wheel: Wheel): IClientOptions['timerVariant'] {
  const timers = {
    set: (run: () => void, ms: number) => wheel.every(ms, run),
    clear: (ticket: ReturnType<Wheel['every']>) => wheel.cancel(ticket),
  }
  return timers as unknown as IClientOptions['timerVariant']
}
