import { createServer, type AddressInfo } from 'node:net'
import { downTopic } from '@aisle/contract/device/topics'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MachineLink } from '../../kernel/machineLink'
import { openEmbeddedBroker } from './embedded'

let port: number
let link: MachineLink

beforeAll(async () => {
  port = await freePort()
  link = await openEmbeddedBroker('127.0.0.1', port, {
    mayConnect: async (_, secret) => {
      if (secret === 'unknowable') throw new Error('the database is away')
      return secret === 'right'
    },
    onForbidden: () => undefined,
  })
})
afterAll(() => link.stop())

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as AddressInfo
      server.close(() => resolve(free))
    })
  })
}

const comes = (client: MqttClient, event: 'connect' | 'close') =>
  new Promise<void>((resolve) => {
    client.once(event, () => resolve())
  })

async function connect(code: string, clean = true): Promise<{ client: MqttClient; heard: string[] }> {
  const options = { clientId: code, username: code, password: 'right', clean, reconnectPeriod: 0 }
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, options)
  const heard: string[] = []
  client.on('message', (_, payload) => heard.push(payload.toString()))
  await comes(client, 'connect')
  return { client, heard }
}

/** The return code of MQTT 3.1.1 with which it is turned away. */
const turnedAway = async (secret: string) => {
  const options = { clientId: 'M300', username: 'M300', password: secret, reconnectPeriod: 0 }
  const failed: unknown = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, options, false).catch((error) => error)
  return failed instanceof Error && 'code' in failed ? failed.code : null
}

test('a wrong secret is refused; while nobody can say, the machine hears that it may try again soon', async () => {
  expect(await turnedAway('wrong')).toBe(5)
  expect(await turnedAway('unknowable')).toBe(3)
})

test('a machine that is dropped loses its connection', async () => {
  const { client } = await connect('M100')
  const closed = comes(client, 'close')
  link.drop('M100')
  await closed
  link.drop('M404')
})

test('the broker keeps no command for a machine that is away, whatever session it asked for', async () => {
  const before = await connect('M200', false)
  await before.client.subscribeAsync(downTopic('M200', 'cmd'), { qos: 1 })
  await before.client.endAsync()
  link.publish(downTopic('M200', 'cmd'), 'while away')
  const { client, heard } = await connect('M200', false)
  await client.subscribeAsync(downTopic('M200', 'cmd'), { qos: 1 })
  link.publish(downTopic('M200', 'cmd'), 'now')
  await expect.poll(() => heard.at(-1)).toBe('now')
  await client.endAsync()
  expect(heard).toEqual(['now'])
})
