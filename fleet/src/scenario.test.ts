import { afterEach, expect, test } from 'vitest'
import { play, playLasting, readScenario, type ScenarioEvent } from './scenario'
import { openTestServer, openTestWorld } from './testing'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open(count: number) {
  const server = await openTestServer()
  closers.push(server.stop)
  const fleet = await openTestWorld({ url: server.url })
  closers.push(fleet.stop)
  const machines = []
  for (let i = 0; i < count; i += 1) machines.push(await fleet.start({ code: `M${1000 + i}` }))
  for (const { code } of machines) await server.next('heartbeat', ({ machineId }) => machineId === code)
  return { server, fleet, machines }
}
const scenario = (...events: ScenarioEvent[]) => ({ seed: 7, events })

test('heat, a door and missing change are said as they come and as they go', async () => {
  const { server, fleet, machines } = await open(1)
  const event = { at: 0, for: 0.05 }
  play(fleet.world, machines, scenario({ ...event, what: 'heat', by: 30 }, { ...event, what: 'door' }))
  const warm = await server.next('heartbeat', ({ data }) => Number((data.tempNow as number[])[0]) > 30)
  expect(warm.data.lowChange).toBe(false)
  expect((await server.next('door')).data).toMatchObject({ state: 'opened', by: 'unknown' })
  expect((await server.next('door')).data).toMatchObject({ state: 'closed', openSeconds: 0.05 })
  await server.next('heartbeat', ({ data }) => Number((data.tempNow as number[])[0]) < 30)
  play(fleet.world, machines, scenario({ ...event, what: 'noChange' }))
  await server.next('heartbeat', ({ data }) => data.lowChange === true)
  await server.next('heartbeat', ({ data }) => data.lowChange === false)
})

test('a machine whose clock is wrong says so with its next word; one without a network comes back', async () => {
  const { server, fleet, machines } = await open(2)
  const [first] = machines
  const codes = [first?.code ?? '']
  play(fleet.world, machines, scenario({ at: 0, for: 5, what: 'clock', by: 900, machines: codes }))
  const skewed = await server.next('heartbeat')
  expect(skewed.machineId).toBe(first?.code)
  expect(Date.parse(skewed.sentAt) - Date.now()).toBeGreaterThan(800_000)
  play(fleet.world, machines, scenario({ at: 0, for: 0.1, what: 'offline', machines: 1 }))
  await server.next('presence', ({ data }) => data.reason === 'back')
})

test('the same seed strikes the same machines', async () => {
  const { fleet, machines } = await open(6)
  const struck = () => machines.filter(({ hasLowChange }) => hasLowChange).map(({ code }) => code)
  const event = { at: 0, for: 60, what: 'noChange', machines: 0.5 } as const
  play(fleet.world, machines, scenario(event))
  await expect.poll(() => struck().length).toBe(3)
  const before = struck()
  for (const machine of machines) machine.hasLowChange = false
  play(fleet.world, machines, scenario(event))
  await expect.poll(struck).toEqual(before)
})

test('a share of the machines may be warm, open or without change for as long as the fleet runs', async () => {
  const { server, fleet, machines } = await open(2)
  playLasting(fleet.world, machines, { heat: 1, door: 0.5, noChange: 0 }, { seed: 7, afterMs: 0 })
  await expect.poll(() => machines.map(({ warmerBy }) => warmerBy)).toEqual([10, 10])
  expect((await server.next('door')).data).toMatchObject({ state: 'opened', by: 'unknown' })
  expect(machines.filter(({ isDoorOpen }) => isDoorOpen)).toHaveLength(1)
  expect(machines.some(({ hasLowChange }) => hasLowChange)).toBe(false)
})

test.each([
  ['[]', 'a scenario has a seed and events'],
  ['{"events":[{"what":"fire","at":1,"for":1}]}', 'event 0: "what" is one of'],
  ['{"events":[{"what":"heat","at":-1,"for":1}]}', 'event 0: "at" and "for" are seconds'],
  ['{"events":[{"what":"heat","at":1,"for":1,"machines":"all"}]}', 'event 0: "machines" is'],
  ['{"events":[{"what":"heat","at":1,"for":1,"by":"much"}]}', 'event 0: "by" is a number'],
])('a file that is not right says why: %s', (text, reason) => {
  expect(() => readScenario(text)).toThrow(reason)
})
