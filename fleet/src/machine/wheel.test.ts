import { expect, test } from 'vitest'
import { seeded } from '../random'
import { createWheel } from './wheel'

function open() {
  let nowMs = 0
  const wheel = createWheel(() => nowMs)
  return {
    wheel,
    to: (ms: number) => {
      for (; nowMs < ms; nowMs += 100) wheel.advance()
      wheel.advance()
    },
    leap: (ms: number) => {
      nowMs = ms
      wheel.advance()
    },
  }
}

test('each wait ends at its time, never before, at most a tick late', () => {
  const { wheel, to } = open()
  const random = seeded(7)
  const late: number[] = []
  let nowMs = 0
  for (let i = 0; i < 2_000; i += 1) {
    const ms = Math.floor(random() * 400_000)
    wheel.after(ms, () => late.push(nowMs - ms))
  }
  for (nowMs = 0; nowMs <= 401_000; nowMs += 100) to(nowMs)
  expect(late.length).toBe(2_000)
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...late)).toBeLessThanOrEqual(200)
})

test('a cancelled wait never ends, also when another one of the same moment cancels it', () => {
  const { wheel, to } = open()
  const ran: string[] = []
  const late = wheel.after(1_000, () => ran.push('late'))
  wheel.cancel(late)
  wheel.cancel(late)
  wheel.after(500, () => wheel.cancel(twin))
  const twin = wheel.after(500, () => ran.push('twin'))
  to(2_000)
  expect(ran).toEqual([])
})

test('a repeated wait goes on until it is cancelled and may begin at another time', () => {
  const { wheel, to } = open()
  const ran: string[] = []
  const ticket = wheel.every(60_000, () => ran.push('beat'), 10_000)
  to(130_000)
  expect(ran.length).toBe(3)
  wheel.cancel(ticket)
  to(400_000)
  expect(ran.length).toBe(3)
})

test('after a leap of hours everything that was due runs once', () => {
  const { wheel, leap } = open()
  let ran = 0
  for (const ms of [100, 5_000, 3_000_000]) wheel.after(ms, () => (ran += 1))
  leap(20_000_000)
  expect(ran).toBe(3)
})
