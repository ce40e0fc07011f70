import type { Page } from 'playwright-core'
import { openBrowser, openPage, type Watched } from './kit/browser'
import { demoPassword, startDemo } from './kit/demo'
import { type Bench, digits, type Line, notMeasured } from './kit/figure'

const ROUNDS = 3
const SLOWEST_TOLD = 8
const speeds = [
  { slower: 1, goalMs: 50 },
  { slower: 4, goalMs: 120 },
]
const what = 'route change, click to painted, warm'

/** Each screen of the menu, visited once before so that its code and its first rows are there. */
export async function p6b({ say }: Bench): Promise<Line[]> {
  const browser = await openBrowser()
  if (!browser) return [notMeasured('P6b', what, 'needs Chromium')]
  say('making the data of the demo')
  const demo = await startDemo({ DEMO_MACHINES: '24', DEMO_DAYS: '8', DEMO_RATE: '0' })
  try {
    const watched = await openPage(browser, `${demo.address}/login`)
    const { page } = watched
    await signIn(page)
    const routes = await routesOf(page)
    say(`${routes.length} screens`)
    const lines: Line[] = []
    for (const speed of speeds) lines.push(lineOf(speed, await measure(watched, routes, speed.slower)))
    return lines
  } finally {
    await browser.close()
    await demo.stop()
  }
}

async function signIn(page: Page): Promise<void> {
  await page.locator('input[autocomplete=username]').fill('admin')
  await page.locator('input[type=password]').fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/database', { timeout: 120_000 })
  await page.goto(new URL('/dashboard', page.url()).href)
  await page.locator('nav a[href]').first().waitFor({ state: 'attached' })
}

/** Paths of the menu, whose groups are all unfolded by hand: one that is open by itself folds when it is left. */
async function routesOf(page: Page): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const drawn = () => new Promise((done) => setTimeout(done, 100))
    for (const group of document.querySelectorAll<HTMLElement>('nav button[aria-expanded]')) {
      if (group.getAttribute('aria-expanded') === 'true') {
        group.click()
        await drawn()
      }
      group.click()
      await drawn()
    }
    return [...document.querySelectorAll('nav a[href]')].map((link) => link.getAttribute('href') ?? '')
  })
  return [...new Set(found)].filter((path) => path.startsWith('/') && path !== '/dashboard' && path !== '/database')
}

type Timed = { path: string; ms: number }

async function measure({ page, cdp }: Watched, routes: readonly string[], slower: number): Promise<Timed[]> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  for (const path of routes) {
    await changeTo(page, path)
    await page.waitForLoadState('networkidle')
  }
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const timed: Timed[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const path of routes) timed.push({ path, ms: await changeTo(page, path) })
  }
  return timed
}

/** Milliseconds from the click to the frame after the one in which the screen's heading stands. */
const changeTo = (page: Page, path: string): Promise<number> =>
  page.evaluate(
    (to) =>
      new Promise<number>((done) => {
        const link = document.querySelector<HTMLElement>(`nav a[href="${to}"]`)
        if (!link) throw new Error(`no link to ${to}`)
        const startedMs = performance.now()
        // The address changes before the screen does: the heading of the one before is none.
        const former = document.querySelector('main h1')
        const isThere = () => {
          const heading = document.querySelector('main h1')
          return location.pathname === to && heading !== null && heading !== former
        }
        const look = () => {
          if (!isThere()) return requestAnimationFrame(look)
          // A message comes after the frame in which the heading was drawn.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => done(performance.now() - startedMs)
            port2.postMessage(null)
          })
        }
        link.click()
        requestAnimationFrame(look)
      }),
    path,
  )

function lineOf({ slower, goalMs }: { slower: number; goalMs: number }, timed: readonly Timed[]): Line {
  const all = quantile(
    timed.map(({ ms }) => ms),
    0.75,
  )
  const each = [...new Set(timed.map(({ path }) => path))].map((path) => ({
    path,
    ms: quantile(
      timed.filter((one) => one.path === path).map(({ ms }) => ms),
      0.75,
    ),
  }))
  const slowest = each.toSorted((a, b) => b.ms - a.ms)
  const missed = each.filter(({ ms }) => ms > goalMs).length
  return {
    id: 'P6b',
    what: `${what}, ${slower}× CPU`,
    ours: `p75 ${digits(all)} ms`,
    anchor: '',
    value: slowest[0]?.ms ?? Number.NaN,
    unit: `ms at the slowest, ${slowest[0]?.path}`,
    goal: { atMost: goalMs },
    note: `${missed} of ${each.length} screens above the goal; slowest ${named(slowest.slice(0, SLOWEST_TOLD))}`,
  }
}

const named = (timed: readonly Timed[]) => timed.map(({ path, ms }) => `${path} ${digits(ms)}`).join(', ')

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
