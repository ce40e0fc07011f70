import { expect, test } from 'vitest'
import { keepRunning, type Running } from './keepRunning'

/** Things that run until they are told to end, in one way or the other. */
function stage(failing = 0) {
  const started: { end: (cause?: Error) => void }[] = []
  const causes: unknown[] = []
  let stopped = 0
  let left = failing
  const start = async (): Promise<Running> => {
    if (started.length > 0 && left > 0) {
      left -= 1
      throw new Error('the database is starting up')
    }
    let end: (cause?: Error) => void = () => undefined
    const promise = new Promise<void>((resolve, reject) => {
      end = (cause) => (cause ? reject(cause) : resolve())
    })
    started.push({ end })
    const stop = async () => {
      stopped += 1
      end()
    }
    return { promise, stop }
  }
  return { started, causes, start, onEnded: (cause: unknown) => causes.push(cause), stops: () => stopped }
}

test('what ends by a fault, or in good order, is started again; a stop ends it for good', async () => {
  const { started, causes, start, onEnded, stops } = stage()
  const kept = await keepRunning(start, onEnded, 1)
  started[0]?.end(new Error('connection lost'))
  await expect.poll(() => started.length).toBe(2)
  started[1]?.end()
  await expect.poll(() => started.length).toBe(3)
  await kept.stop()
  expect(causes).toEqual([new Error('connection lost'), undefined])
  expect([started.length, stops()]).toEqual([3, 1])
})

test('a start that fails is tried again until it succeeds', async () => {
  const { started, causes, start, onEnded } = stage(3)
  const kept = await keepRunning(start, onEnded, 1)
  started[0]?.end(new Error('connection lost'))
  await expect.poll(() => started.length).toBe(2)
  expect(causes.filter((cause) => cause instanceof Error).length).toBe(4)
  await kept.stop()
})

test('a first start that fails is tried again as any other', async () => {
  const { started, causes, start, onEnded } = stage()
  let isAway = true
  const kept = await keepRunning(() => (isAway ? Promise.reject(new Error('no database')) : start()), onEnded, 1)
  expect(started).toEqual([])
  isAway = false
  await expect.poll(() => started.length).toBe(1)
  expect(causes[0]).toEqual(new Error('no database'))
  await kept.stop()
})
