import { setTimeout as delay } from 'node:timers/promises'
import { heldBytes, metricsOf, openBrowser, openPage, type Watched } from './browser'
import { type Bench, digits, type Line, notMeasured } from './figure'
import { median } from './rounds'
import { openSoldBoard, sellEvery } from './soldBoard'

/** The demo sells 60 times a minute, and a board hears of each sale. */
const SALES_A_MINUTE = 600
/** Compiled code and pools are still filling before. */
const WARM_UP_MINUTES = 3
const MINUTE_MS = 60_000
const MB = 1_000_000
/** So many samples at either end are compared, so that no single one decides. */
const ENDS = 5

type Sample = { minute: number; heapBytes: number; nodes: number; listeners: number; pushes: number }

/** A wallboard that hears ten times as many sales as usual, for an hour or as long as `--minutes` says. */
export async function heap({ cluster, minutes, say }: Bench): Promise<Line[]> {
  const what = `heap of a wallboard over ${minutes} minutes at ${SALES_A_MINUTE} sales a minute`
  const browser = await openBrowser()
  if (!browser) return [notMeasured('heap', what, 'needs Chromium')]
  const sold = await openSoldBoard(cluster, 'heap')
  const stop = sellEvery(sold, MINUTE_MS / SALES_A_MINUTE)
  try {
    const board = await openPage(browser, `${sold.address}/databaseszd`)
    const pushes = await countPushes(board)
    await delay(WARM_UP_MINUTES * MINUTE_MS)
    const samples: Sample[] = []
    while (samples.length <= minutes) {
      if (samples.length > 0) await delay(MINUTE_MS)
      const metrics = await metricsOf(board)
      const heapBytes = await heldBytes(board)
      const [nodes, listeners] = [metrics('Nodes'), metrics('JSEventListeners')]
      const sample = { minute: samples.length, heapBytes, nodes, listeners, pushes: pushes() }
      samples.push(sample)
      say(`minute ${sample.minute}: ${textOf(sample)}`)
    }
    return [lineOf(what, samples)]
  } finally {
    await browser.close()
    await stop()
    await sold.close()
  }
}

/** Frames that arrived since the page was opened anew. */
async function countPushes({ page, cdp }: Watched): Promise<() => number> {
  let heard = 0
  await cdp.send('Network.enable')
  cdp.on('Network.webSocketFrameReceived', () => {
    heard += 1
  })
  await page.reload()
  return () => heard
}

function lineOf(what: string, samples: readonly Sample[]): Line {
  const first = median(samples.slice(0, ENDS).map(({ heapBytes }) => heapBytes))
  const last = median(samples.slice(-ENDS).map(({ heapBytes }) => heapBytes))
  const [start, end] = [samples[0], samples.at(-1)]
  return {
    id: 'heap',
    what,
    ours: `${digits(last / MB)} MB at the end`,
    anchor: `${digits(first / MB)} MB at the start`,
    value: last / first,
    unit: '×',
    goal: { atMost: 1.1 },
    note: start && end ? `${textOf(start)} → ${textOf(end)}` : '',
  }
}

const textOf = ({ heapBytes, nodes, listeners, pushes }: Sample) =>
  `${digits(heapBytes / MB)} MB, ${nodes} nodes, ${listeners} listeners, ${pushes} pushes`
