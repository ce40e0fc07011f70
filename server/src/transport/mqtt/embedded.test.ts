import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net'
import { downTopic } from '@aisle/contract/device/topics'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MachineLink } from '../../kernel/machineLink'
import { openEmbeddedBroker } from './embedded'

let port: number
let link: MachineLink
const tooLarge: string[] = []
const limits = { bytes: 8 * 1024, ms: 3_000, perAddress: 20, inAll: 40 }

beforeAll(async () => {
  port = await freePort()
  const gate = {
    mayConnect: async (_: string, secret: string) => {
      if (secret === 'unknowable') throw new Error('the database is away')
      return secret === 'right'
    },
    onForbidden: () => undefined,
    onTooLarge: (code: string) => tooLarge.push(code),
  }
  link = await openEmbeddedBroker('127.0.0.1', port, gate, limits)
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

/** Speaks as nothing in particular; what it is answered is thrown away. */
const stranger = () => {
  const socket = dial(port, '127.0.0.1').on('error', () => undefined)
  socket.resume()
  return socket
}
const gone = (socket: Socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve()))
const listening = () => new Promise((resolve) => setTimeout(resolve, 100))

test('before sign-in, who announces much or anything but a sign-in is cut off with its first bytes', async () => {
  for (const start of [
    [0x10, 0x80, 0x84, 0xaf, 0x5f],
    [0x10, 0x81, 0x40],
    [0x30, 0x02, 0x00, 0x00],
    [0xc0, 0x00],
    [0x16, 0x03],
  ]) {
    const socket = stranger()
    socket.write(Buffer.from(start))
    await gone(socket)
  }
})

test('before sign-in, what comes without a sign-in is cut off after a few kilobytes', async () => {
  const socket = stranger()
  // The length is never said to its end, so no packet is announced.
  socket.write(Buffer.from([0x10]))
  await listening()
  socket.write(Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(64 * 1024)]))
  await gone(socket)
  expect(tooLarge).toEqual([])
})

test('who does not sign in at once is let go, whether it says nothing or one byte after the other', async () => {
  const [silent, slow] = [stranger(), stranger()]
  const closed = [gone(silent), gone(slow)]
  const started = performance.now()
  const bytes = setInterval(() => slow.destroyed || slow.write(Buffer.from([0x10])), 300)
  await Promise.all(closed)
  clearInterval(bytes)
  expect(performance.now() - started).toBeLessThan(limits.ms * 3)
})

test('of one address so many wait to sign in and no more; the oldest goes, and a machine still comes in', async () => {
  const crowd = Array.from({ length: limits.perAddress }, stranger)
  await Promise.all(crowd.map((socket) => new Promise<void>((resolve) => void socket.once('connect', () => resolve()))))
  await listening()
  const first = crowd[0]
  if (!first) throw new Error('nobody came')
  const left = gone(first)
  const { client } = await connect('M700')
  await left
  expect(crowd.filter(({ destroyed }) => !destroyed).length).toBe(limits.perAddress - 1)
  for (const socket of crowd) socket.destroy()
  await client.endAsync()
})

test('a machine that announces a packet of many megabytes is cut off before it is kept', async () => {
  const { client } = await connect('M500')
  client.on('error', () => undefined)
  const ended = comes(client, 'close')
  client.publish(`v1/m/M500/up/heartbeat`, Buffer.alloc(4 * 1024 * 1024), { qos: 0 })
  await ended
  expect(tooLarge).toEqual(['M500'])
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
