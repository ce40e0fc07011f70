import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { aligned, placesBetween } from './lines.rules'
import type { ChartLine, TimeChartProps } from './timeChart'

type Told = { onRead: (index: number | null) => void; onZoom: (isZoomed: boolean) => void }

const DAY_MS = 86_400_000
/** Of a character of the axis, and between its marks. */
const LETTER = 7
const MARK_APART = 64

const colourOf = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token)

/** A plot that fills its holder and follows its size and theme until it is ended. */
export function plotIn(holder: HTMLElement, props: TimeChartProps, told: Told) {
  const plot = new UPlot(optionsOf(holder, props, told), dataOf(props), holder)
  // Cursor and selection are no part of the chart's picture.
  plot.over.dataset.notDrawn = ''
  const sized = new ResizeObserver(() => plot.setSize({ width: holder.clientWidth, height: holder.clientHeight }))
  sized.observe(holder)
  const themed = new MutationObserver(() => plot.redraw(false, true))
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const end = () => {
    sized.disconnect()
    themed.disconnect()
    plot.destroy()
  }
  return { plot, end }
}

/** Each line, and before it the edges of its spread where it has one. */
const drawnOf = ({ lines }: TimeChartProps) =>
  lines.flatMap((line) => {
    const isSpread = line.points.some(({ low, high }) => low !== undefined && high !== undefined)
    const edge = (side: 'low' | 'high') => ({
      line,
      isEdge: true,
      points: line.points.map(({ at, value, [side]: bound = value }) => ({ at, value: bound })),
    })
    const own = { line, isEdge: false, points: line.points }
    return isSpread ? [edge('high'), edge('low'), own] : [own]
  })

function dataOf(props: TimeChartProps): UPlot.AlignedData {
  const drawn = drawnOf(props).map(({ points }) => points)
  const { at, values } = aligned(drawn, props.longest ?? Number.POSITIVE_INFINITY)
  return [at, ...values]
}

function optionsOf(holder: HTMLElement, props: TimeChartProps, told: Told): UPlot.Options {
  const { zone, limits = [], fromZero = false } = props
  const drawn = drawnOf(props)
  const tops = drawn.flatMap(({ isEdge }, index) => (isEdge && drawn[index + 1]?.isEdge ? [index + 1] : []))
  const last = Math.max(0, ...props.lines.map(({ points }) => points.length - 1))
  return {
    width: holder.clientWidth,
    height: holder.clientHeight,
    ms: 1,
    ...(zone && { tzDate: (at: number) => UPlot.tzDate(new Date(at), zone) }),
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false }, points: { size: 8 } },
    scales: {
      x: { time: zone !== undefined, ...(!zone && { range: (_, min, max) => placesShown(min, max, last) }) },
      y: { range: (_, min, max) => valuesShown(min, max, limits, fromZero) },
    },
    axes: [timeAxis(props), valueAxis(props)],
    series: [{}, ...drawn.map(({ line, isEdge }) => (isEdge ? edgeOf() : seriesOf(line)))],
    bands: tops.map((top) => ({ series: [top, top + 1], fill: colourOf('--primary-soft') })),
    hooks: {
      drawClear: [(plot) => paintSilences(plot, props)],
      draw: [(plot) => paintLimits(plot, limits)],
      setCursor: [(plot) => told.onRead(plot.cursor.idx ?? null)],
      setScale: [(plot, key) => key === 'x' && told.onZoom(isPart(plot, zone !== undefined))],
    },
  }
}

const placesShown = (min: number, max: number, last: number): [number, number] => [
  Math.max(-0.5, Math.min(min, last - 1) - (min <= 0 ? 0.5 : 0)),
  Math.min(last + 0.5, max + 0.5),
]

/** To round values, with room above and below; amounts from zero. */
function valuesShown(min: number, max: number, limits: readonly number[], fromZero: boolean): [number, number] {
  const known = [min, max, ...limits].filter((each) => Number.isFinite(each) && each !== null)
  const [lowest, highest] = [Math.min(...known), Math.max(...known)]
  if (known.length === 0 || (fromZero && highest <= 0)) return [0, 100]
  const [from, to] = UPlot.rangeNum(fromZero ? Math.min(0, lowest) : lowest, highest, 0.1, true)
  return [fromZero && lowest >= 0 ? 0 : (from ?? lowest), to ?? highest]
}

function isPart(plot: UPlot, isTime: boolean): boolean {
  const [times] = plot.data
  const { min = 0, max = 0 } = plot.scales.x ?? {}
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  const slack = isTime ? 1 : 0.4
  return min > first + slack || max < last - slack
}

const plain = () => {
  const stroke = () => colourOf('--muted')
  const line = () => colourOf('--line')
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  return { stroke, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 } }
}

function timeAxis({ zone, markText }: TimeChartProps): UPlot.Axis {
  const whole: UPlot.Axis = { ...plain(), space: MARK_APART, size: 32, grid: { show: zone !== undefined } }
  if (zone) {
    return { ...plain(), ...whole, grid: plain().grid, values: timeMarks }
  }
  return {
    ...whole,
    splits: (plot, _, min, max) => placesBetween(min, max, plot.width / MARK_APART - 1),
    values: (_, places) => places.map((place) => markText(place, false)),
  }
  function timeMarks(_: UPlot, times: number[], __: number, ___: number, apart: number) {
    return times.map((at) => markText(at, apart >= DAY_MS))
  }
}

function valueAxis({ valueText }: TimeChartProps): UPlot.Axis {
  return {
    ...plain(),
    space: 36,
    gap: 4,
    values: (_, values) => values.map(valueText),
    size: (_, texts) => Math.max(24, ...(texts ?? []).map((text) => text.length * LETTER)) + 12,
  }
}

const edgeOf = (): UPlot.Series => ({ width: 0, points: { show: false } })

function seriesOf({ shape, colour, label }: ChartLine): UPlot.Series {
  const stroke = () => colourOf(colour)
  if (shape === 'line') return { label, stroke, width: 2, points: { size: 5, fill: stroke } }
  const paths = UPlot.paths.bars?.({ size: [0.7, 48], radius: 0.1 })
  return { label, stroke, fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) }
}

function paintSilences({ ctx, bbox, valToPos }: UPlot, { silences = [] }: TimeChartProps): void {
  ctx.save()
  ctx.fillStyle = colourOf('--warn-soft')
  for (const { from, to } of silences) {
    const [left, right] = [from, to].map((at) => valToPos(at, 'x', true))
    const start = Math.max(bbox.left, left ?? 0)
    const end = Math.min(bbox.left + bbox.width, right ?? 0)
    if (end >= start) ctx.fillRect(start, bbox.top, Math.max(1, end - start), bbox.height)
  }
  ctx.restore()
}

function paintLimits({ ctx, bbox, valToPos }: UPlot, limits: readonly number[]): void {
  ctx.save()
  ctx.strokeStyle = colourOf('--bad')
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
  for (const limit of limits) {
    const y = valToPos(limit, 'y', true)
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.restore()
}
