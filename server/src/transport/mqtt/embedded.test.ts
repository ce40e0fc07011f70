import { connect as dial, createServer, type AddressInfo } from 'node:net'
import { downTopic } from '@aisle/contract/device/topics'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MachineLink } from '../../kernel/machineLink'
import { openEmbeddedBroker } from './embedded'

let port: number
let link: MachineLink
const tooLarge: string[] = []

beforeAll(async () => {
  port = await freePort()
  link = await openEmbeddedBroker('127.0.0.1', port, {
    mayConnect: async (_, secret) => {
      if (secret === 'unknowable') throw new Error('the database is away')
      return secret === 'right'
    },
    onForbidden: () => undefined,
    onTooLarge: (code) => tooLarge.push(code),
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

test('who announces a packet of many megabytes is cut off before it is kept, signed in or not', async () => {
  const stranger = dial(port, '127.0.0.1')
  // CONNECT with a length of 200 MB, and then its bytes.
  stranger.write(Buffer.from([0x10, 0x80, 0x84, 0xaf, 0x5f]))
  stranger.on('error', () => undefined)
  const chunk = Buffer.alloc(64 * 1024)
  const closed = new Promise<void>((resolve) => stranger.once('close', () => resolve()))
  let sent = 0
  const pour = () => {
    for (; !stranger.destroyed && sent < 64 * 1024 * 1024; sent += chunk.length) if (!stranger.write(chunk)) break
  }
  stranger.on('drain', pour)
  pour()
  await closed
  expect(tooLarge).toEqual([''])
  const { client } = await connect('M500')
  client.on('error', () => undefined)
  const ended = comes(client, 'close')
  client.publish(`v1/m/M500/up/heartbeat`, Buffer.alloc(4 * 1024 * 1024), { qos: 0 })
  await ended
  expect(tooLarge).toEqual(['', 'M500'])
})

test('a machine that tells of a long time at once is heard to the end', async () => {
  const { client } = await connect('M600')
  const heard: string[] = []
  link.onMessage(({ payload }) => heard.push(payload.toString('utf8', 0, 4)))
  const said = Array.from({ length: 400 }, (_, i) =>
    client.publishAsync('v1/m/M600/up/heartbeat', `${String(i).padStart(4, '0')}${'x'.repeat(16_000)}`, { qos: 1 }),
  )
  await Promise.all(said)
  await client.endAsync()
  expect(heard).toHaveLength(400)
  expect(heard.at(-1)).toBe('0399')
})
