import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openBrowser, openPage } from './kit/browser'
import { openWire } from './kit/cut'
import { type Bench, digits, type Line, notMeasured } from './kit/figure'
import { median } from './kit/rounds'
import { openSoldBoard } from './kit/soldBoard'

const CUT_MS = 30_000
const SALES_MEANWHILE = 25
const what = 'exact totals on a wallboard after its network was cut for 30 s'

/** Sales go on while nothing reaches the board; measured from the moment at which the wire is whole again. */
export async function p4b({ cluster, rounds, say }: Bench): Promise<Line[]> {
  const browser = await openBrowser()
  if (!browser) return [notMeasured('P4b', what, 'needs Chromium')]
  const sold = await openSoldBoard(cluster, 'p4b')
  const wire = await openWire(sold.port)
  try {
    await sold.sell()
    const { page } = await openPage(browser, `http://127.0.0.1:${wire.port}/databaseszd`)
    await page.getByRole('button', { pressed: false }).first().waitFor({ state: 'attached' })
    const seconds: number[] = []
    while (seconds.length < rounds) {
      wire.cut()
      for (let n = 0; n < SALES_MEANWHILE; n += 1) await sold.sell()
      await delay(CUT_MS)
      const exact = answeredWith(page, sold.sold())
      wire.mend()
      const mendedMs = performance.now()
      await exact
      seconds.push((performance.now() - mendedMs) / 1_000)
      say(`${digits(seconds.at(-1) ?? Number.NaN)} s`)
      await delay(5_000)
    }
    const spread = `s (${digits(Math.min(...seconds))}–${digits(Math.max(...seconds))})`
    const value = median(seconds)
    return [{ id: 'P4b', what, ours: `${digits(value)} s`, anchor: '', value, unit: spread, goal: { atMost: 1 } }]
  } finally {
    await browser.close()
    wire.close()
    await sold.close()
  }
}

/** Until the board has been told so many sales; the counter then runs up to them for 1.5 s (spec §2.4). */
async function answeredWith(page: Page, orders: number): Promise<void> {
  await page.waitForResponse(
    async (response) => {
      if (new URL(response.url()).pathname !== '/api/wallboard' || !response.ok()) return false
      const { data } = (await response.json()) as { data: { figures: { allTransactionsNumberSum: number } } }
      return data.figures.allTransactionsNumberSum === orders
    },
    { timeout: 120_000 },
  )
}
