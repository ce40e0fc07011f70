import { rmSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { startSeeded, startServer } from './kit/harness'
import { arm, disarm, openPoints, passed, type Points } from './kit/killPoints'
import { type FullStage, judge, noJobOfTheDead, openStage, settled, waitOutLeases } from './kit/stage'
import { play } from './kit/story'
import { counted, verify } from './kit/teller'

/**
 * kill -9 before and after each commit, each packet to a machine, each call to a provider or partner and each answer to
 * them: whatever was acknowledged happened, and happened once. `POINTS=all`, or how many of them; `FROM=` goes on at
 * one.
 */
const wanted = process.env.POINTS ?? '4'
const isAll = wanted === 'all'
const MOST = 600
const TRIES = 3
/** What one playing sells. */
const SALES = 5

test(`killed at ${wanted} of its points, the server loses nothing and does nothing twice`, async () => {
  test.setTimeout(isAll ? 4 * 3_600_000 : 120_000 + Number(wanted) * 60_000)
  const points = openPoints()
  const stage = await openStage(await startSeeded(points.env), MOST)
  try {
    await killAll(stage, points)
  } finally {
    await stage.device?.close()
    await stage.close()
    await stage.server.stop()
    rmSync(points.folder, { recursive: true })
  }
})

async function killAll(stage: FullStage, points: Points): Promise<void> {
  const seed = Number(process.env.SEED ?? 1)
  const before = await counted(stage.server)
  let playings = 0
  const next = () => {
    playings += 1
    return `P${playings}`
  }
  // What both of two playings passed is passed by each: the rest is the clock's.
  const seen = [await passing(stage, points, next()), await passing(stage, points, next())] as const
  const all = seen[0].filter((point) => seen[1].includes(point))
  const chosen = isAll ? all.slice(Number(process.env.FROM ?? 1) - 1) : spread(all, Number(wanted), seed)
  console.log(`${all.length} points, seed ${seed}: ${JSON.stringify(kindsOf(all))}`)
  for (const [at, point] of chosen.entries()) {
    let isHit = false
    for (let tries = 0; tries < TRIES && !isHit; tries += 1) {
      isHit = await killedAt(stage, points, next(), point)
      await judge(stage, `P${playings}`, playings)
    }
    expect(isHit ? '' : `never came to ${point}`).toBe('')
    console.log(`${all.indexOf(point) + 1}/${all.length} ${point}`)
    if (isAll && at % 10 === 9) expect(verify(stage.server)).toBe('the books are true')
  }
  await expect.poll(() => counted(stage.server)).toBe(before + playings * SALES)
  expect(verify(stage.server)).toBe('the books are true')
}

/** One playing without a fault. @returns the points that it passed, in their order */
async function passing(stage: FullStage, points: Points, round: string): Promise<string[]> {
  arm(points, round)
  await play(stage, round, stage.codes.pop() ?? '')
  await settled(stage, round, () => false)
  const names = passed(points)
  disarm(points)
  await judge(stage, round, Number(round.slice(1)))
  return names
}

/** @returns whether it came to that point and died there; the playing goes on to its end in any case */
async function killedAt(stage: FullStage, points: Points, round: string, point: string): Promise<boolean> {
  arm(points, round, point)
  let isAgain = false
  const whole = play(stage, round, stage.codes.pop() ?? '').then(() => settled(stage, round, () => isAgain))
  const died = await Promise.race([stage.server.died.then(() => true), whole.then(() => false)])
  const names = passed(points)
  disarm(points)
  if (!died) return false
  expect(await stage.server.died).toBe('SIGKILL')
  expect(names.at(-1)).toBe(point)
  const diedAt = new Date()
  stage.server = await startServer(points.env, stage.server.place)
  await noJobOfTheDead(stage, diedAt)
  await waitOutLeases(stage)
  isAgain = true
  await whole
  return true
}

const kindOf = (point: string) => point.split(' ').slice(0, 2).join(' ')

function kindsOf(all: readonly string[]): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const point of all) kinds[kindOf(point)] = (kinds[kindOf(point)] ?? 0) + 1
  return kinds
}

/** So many of them, of different kinds as long as there are any. */
function spread(all: readonly string[], count: number, seed: number): string[] {
  const kinds = Object.keys(kindsOf(all))
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[(seed * 5 + i * Math.max(1, Math.floor(kinds.length / count))) % kinds.length]
    const same = all.filter((point) => kindOf(point) === kind)
    return same[(seed * 7 + i * 3) % same.length] ?? ''
  })
}
