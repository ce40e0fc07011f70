import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CommandType } from '@aisle/contract/device/commands'
import { afterEach, expect, test } from 'vitest'
import { openTestServer, openTestWorld } from '../testing'
import { steadyMs } from '../world'
import { advertsOf, playAdverts } from './adverts'
import { loseNetwork } from './machine'
import { questionsOf } from './questions'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A server of one file that cuts the line after so many bytes, as often as it is told to. */
async function openFiles(file: Buffer, cuts: { after: number; times: number } = { after: 0, times: 0 }) {
  const ranges: (string | undefined)[] = []
  let left = cuts.times
  const server = createServer((request, response) => {
    const { range } = request.headers
    ranges.push(range)
    if (request.url === '/files/gone') return response.writeHead(404).end()
    const from = Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    response.writeHead(range ? 206 : 200, { 'content-length': file.length - from })
    if (left === 0) return response.end(file.subarray(from))
    left -= 1
    return response.write(file.subarray(from, from + cuts.after), () => setTimeout(() => response.destroy(), 20))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(() => resolve())))
  return { serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges }
}

const file = randomBytes(300_000)
const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const ad = (changes: Record<string, unknown> = {}) => ({
  ad: '1-2',
  url: '/files/token',
  sha256: sum(file),
  bytes: file.length,
  media: 'mp4',
  seconds: 10,
  from: '2020-01-01',
  to: '2099-12-31',
  fromHour: 0,
  toHour: 24,
  playsPerHour: 60,
  ...changes,
})

async function open(serverUrl: string) {
  const server = await openTestServer()
  closers.push(server.stop)
  const fleet = await openTestWorld({ url: server.url, serverUrl })
  closers.push(fleet.stop)
  const machine = await fleet.start()
  await server.next('heartbeat')
  const told = async (type: CommandType, said: Record<string, unknown>) => {
    const { cmdId } = server.command(machine.code, type, said)
    const { data } = await server.next(
      'cmd.ack',
      ({ data: { cmdId: id, state } }) => id === cmdId && state !== 'received',
    )
    return data
  }
  const push = (version: number, ads: unknown[]) => told('push_ads', { version, ads })
  return { server, machine, push, told }
}

test('a file whose line is cut twice goes on where it was, is checked and is not fetched again', async () => {
  const { serverUrl, ranges } = await openFiles(file, { after: 100_000, times: 2 })
  const { machine, push } = await open(serverUrl)
  expect(await push(1, [ad()])).toMatchObject({ state: 'done', result: { version: 1 } })
  expect(ranges).toEqual([undefined, 'bytes=100000-', 'bytes=200000-'])
  expect(await push(2, [ad(), ad({ ad: '7-2', playsPerHour: 2 })])).toMatchObject({ state: 'done' })
  expect(ranges).toHaveLength(3)
  expect(advertsOf(machine)).toMatchObject({ version: 2, held: [sum(file)] })
})

test.each([
  ['other bytes than were announced', ad({ sha256: 'a'.repeat(64) }), 'checksumDiffers'],
  ['more than was announced', ad({ bytes: 1_000 }), 'checksumDiffers'],
  ['less than was announced', ad({ bytes: 400_000 }), 'notFetched'],
  ['nothing there', ad({ url: '/files/gone' }), 'notThere'],
])('%s: the list is not taken, the one before goes on', async (_, broken, detail) => {
  const { serverUrl } = await openFiles(file)
  const { machine, push } = await open(serverUrl)
  await push(1, [ad()])
  expect(
    await push(2, [{ ...broken, sha256: broken.sha256 === sum(file) ? sum(randomBytes(9)) : broken.sha256 }]),
  ).toEqual(expect.objectContaining({ state: 'failed', detail }))
  expect(advertsOf(machine).version).toBe(1)
})

test('a list that is older than the one it has is refused, and of two on their way the newer one holds', async () => {
  const { serverUrl } = await openFiles(file, { after: 1_000, times: 1 })
  const { machine, push } = await open(serverUrl)
  const [first, second] = await Promise.all([push(3, [ad()]), push(4, [])])
  expect([first.state, first.detail, second.state]).toEqual(['failed', 'superseded', 'done'])
  expect(await push(2, [])).toMatchObject({ state: 'refused', detail: 'outdated' })
  expect(advertsOf(machine)).toMatchObject({ version: 4, ads: [] })
})

test('it counts by its own hours but not during a sale, and tells of a day that ended without a network', async () => {
  const { serverUrl } = await openFiles(file)
  const { server, machine, push } = await open(serverUrl)
  await push(1, [ad({ playsPerHour: 120 }), ad({ ad: '1-3', from: '2099-01-01' })])
  const minutes = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      machine.screen.playedMs = steadyMs(machine) - 60_000
      playAdverts(machine)
    }
  }
  minutes(5)
  machine.isBusy = true
  minutes(3)
  machine.isBusy = false
  minutes(2)
  const { data } = await server.next('ad.play')
  expect(data).toEqual({ ads: [{ ad: '1-2', plays: 14, seconds: 140 }] })
  loseNetwork(machine, 50)
  await expect.poll(() => machine.isUp).toBe(false)
  machine.skewMs = 24 * 3_600_000
  minutes(1)
  await expect.poll(() => machine.isUp, { timeout: 5_000 }).toBe(true)
  minutes(1)
  const told = await server.next('ad.play', (message) => message.data.day !== undefined)
  expect(told.data).toMatchObject({ ads: [{ ad: '1-2', plays: 14 }] })
  minutes(10)
  await server.next('ad.play', (message) => message.data.day === undefined)
  expect(server.ofType('ad.play').filter((message) => message.data.day !== undefined)).toHaveLength(1)
})

test('a list of questions is fetched and checked as an advert is, and an older one is refused', async () => {
  const { serverUrl, ranges } = await openFiles(file, { after: 100_000, times: 1 })
  const { machine, told } = await open(serverUrl)
  const push = (version: number, changes: Record<string, unknown> = {}) =>
    told('push_questions', { version, url: '/c/questions/1', sha256: sum(file), bytes: file.length, ...changes })
  expect(await push(2)).toMatchObject({ state: 'done', result: { version: 2 } })
  expect(ranges).toEqual([undefined, 'bytes=100000-'])
  expect(await push(3, { sha256: 'a'.repeat(64) })).toMatchObject({ state: 'failed', detail: 'checksumDiffers' })
  expect(await push(1)).toMatchObject({ state: 'refused', detail: 'outdated' })
  expect(await push(4, { url: undefined })).toMatchObject({ state: 'refused', detail: 'malformed' })
  expect(questionsOf(machine)).toBe(2)
})
