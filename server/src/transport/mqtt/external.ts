import { ALL_UP } from '@aisle/contract/device/topics'
import mqtt from 'mqtt'
import type { MachineLink, RawMessage } from '../../kernel/machineLink'

/**
 * A broker of the operator's own that knows shared subscriptions (Mosquitto, EMQX): gateways share the load through
 * one. The broker's own list keeps machines to their topics, and the envelope is compared with the topic all the same.
 */
export async function openExternalBroker(url: string, onError: (error: Error) => void): Promise<MachineLink> {
  const client = mqtt.connect(url, { clean: true, reconnectPeriod: 1_000, connectTimeout: 10_000 })
  let handler: (message: RawMessage) => void = () => undefined
  client.on('error', onError)
  client.on('message', (topic, payload) => handler({ topic, payload, sender: null }))
  client.on('connect', () => client.subscribe(`$share/aisle/${ALL_UP}`, { qos: 1 }, (error) => error && onError(error)))
  return {
    onMessage: (next) => {
      handler = next
    },
    publish: (topic, payload) => client.publish(topic, payload, { qos: 1 }, (error) => error && onError(error)),
    drop: () => undefined,
    isReady: () => client.connected,
    stop: () => client.endAsync(),
  }
}
