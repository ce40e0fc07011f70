import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { browserFlags, findBrowser } from '../../../tools/browser.mjs'

const WALL = { width: 1920, height: 1080 }

/** A real Chromium, as the tests find it; null where none runs. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = findBrowser()
  if (!executablePath) return null
  return chromium.launch({ executablePath, args: [...browserFlags(), '--enable-precise-memory-info'] })
}

export type Watched = { page: Page; cdp: CDPSession }

/** A page of a wall's size with the browser's own counts. @param address may be relative to nothing: a whole URL */
export async function openPage(browser: Browser, address: string): Promise<Watched> {
  const context = await browser.newContext({ viewport: WALL, locale: 'zh-CN' })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  // The thread's own clock: what others do on the machine doesn't count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(address)
  return { page, cdp }
}

/** What the browser counts of a page: seconds of its main thread, nodes, listeners and the like. */
export async function metricsOf({ cdp }: Watched): Promise<(name: string) => number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (name) => metrics.find((each) => each.name === name)?.value ?? Number.NaN
}

/** Bytes of the page's heap after everything was thrown away that nobody holds any more. */
export async function heldBytes({ cdp }: Watched): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize
}
