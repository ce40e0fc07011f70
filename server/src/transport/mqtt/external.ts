import { Socket } from 'node:net'
import { ALL_UP } from '@aisle/contract/device/topics'
import type { Turn } from '../../db/turn'
import type { MachineLink, RawMessage } from '../../kernel/machineLink'

/**
 * A broker of the operator's own. Where it knows shared subscriptions (Mosquitto, EMQX) gateways share the load through
 * one; where it doesn't (NATS, RabbitMQ) one gateway listens and the others stand by. The broker's own list keeps
 * machines to their topics, and the envelope is compared with the topic all the same.
 * @param takeTurns for a broker without shared subscriptions: who may listen
 */
export async function openExternalBroker(
  url: string,
  onError: (error: Error) => void,
  takeTurns?: (turn: Turn) => { stop: () => Promise<void> },
): Promise<MachineLink> {
  // Loaded when needed: a process with a broker of its own starts without it.
  const { default: mqtt } = await import('mqtt')
  const client = mqtt.connect(url, { clean: true, reconnectPeriod: 1_000, connectTimeout: 10_000, resubscribe: false })
  const heard = takeTurns ? ALL_UP : `$share/aisle/${ALL_UP}`
  let handler: (message: RawMessage) => void = () => undefined
  let listens = !takeTurns
  const told = (error?: Error | null) => error && onError(error)
  const connected = () => {
    // As the broker in the process does: an acknowledgement doesn't wait for the one before to be received.
    if (client.stream instanceof Socket) client.stream.setNoDelay()
    subscribe()
  }
  const subscribe = () => client.connected && listens && client.subscribe(heard, { qos: 1 }, told)
  client.on('error', onError)
  client.on('message', (topic, payload) => handler({ topic, payload, sender: null }))
  client.on('connect', connected)
  const turns = takeTurns?.({
    taken: () => {
      listens = true
      subscribe()
    },
    lost: () => {
      listens = false
      if (client.connected) client.unsubscribe(heard, {}, told)
    },
  })
  return {
    onMessage: (next) => {
      handler = next
    },
    publish: (topic, payload) => client.publish(topic, payload, { qos: 1 }, told),
    drop: () => undefined,
    isReady: () => client.connected,
    stop: async () => {
      await turns?.stop()
      await client.endAsync()
    },
  }
}
