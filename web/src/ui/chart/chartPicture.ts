import { saveFile } from '../control/files'

/** What stands above the chart in the picture, since a picture travels without its page. */
export type Caption = { title: string; period: string; scope: readonly string[] }

const EDGE = 24
const TITLE_SIZE = 18
const LINE_SIZE = 13
const LINE_HEIGHT = 20
const TITLE_HEIGHT = 30
/** Sharp on paper and on a screen with twice the points. */
const SCALE = 2
/** What no browser makes a canvas of: a chart that long is drawn coarser. */
const MOST_PIXELS = 16_000

/**
 * The chart as it stands on the page, in the theme that it is seen in, saved as a PNG. Its boxes and texts are drawn
 * where the browser has laid them out: an image of foreign markup would be refused by Safari's canvas, and charts of
 * one's own on a canvas would be a second look to keep equal. Left out: what is marked `data-not-drawn`, and what
 * nobody sees.
 * @throws Error where the browser gives no canvas
 */
export async function saveChartPicture(chart: HTMLElement, caption: Caption): Promise<void> {
  const canvas = paintChart(chart, caption)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('the canvas gave no picture')
  saveFile(`${caption.title} ${caption.period}.png`.replaceAll(/[\\/:*?"<>|]/g, '-'), blob)
}

function paintChart(chart: HTMLElement, caption: Caption): HTMLCanvasElement {
  const box = chart.getBoundingClientRect()
  const look = getComputedStyle(document.body)
  const canvas = document.createElement('canvas')
  const paint = canvas.getContext('2d')
  if (!paint) throw new Error('no canvas to draw on')
  const width = Math.ceil(box.width) + 2 * EDGE
  const lines = linesOf(paint, caption, width - 2 * EDGE, look.fontFamily)
  const top = EDGE + TITLE_HEIGHT + lines.length * LINE_HEIGHT + LINE_SIZE
  const height = top + Math.ceil(box.height) + EDGE
  const scale = Math.min(SCALE, MOST_PIXELS / Math.max(width, height))
  canvas.width = width * scale
  canvas.height = height * scale
  paint.scale(scale, scale)
  paint.fillStyle = colourBehind(chart)
  paint.fillRect(0, 0, width, height)
  paint.fillStyle = look.color
  paint.font = `600 ${TITLE_SIZE}px ${look.fontFamily}`
  paint.fillText(caption.title, EDGE, EDGE + TITLE_SIZE, width - 2 * EDGE)
  paint.font = `${LINE_SIZE}px ${look.fontFamily}`
  for (const [at, line] of lines.entries()) {
    paint.fillText(line, EDGE, EDGE + TITLE_HEIGHT + at * LINE_HEIGHT + LINE_SIZE)
  }
  paint.translate(EDGE - box.left, top - box.top)
  paintBelow(paint, chart)
  return canvas
}

/** Period and scope, broken where the picture ends. */
function linesOf(paint: CanvasRenderingContext2D, caption: Caption, width: number, family: string): string[] {
  paint.font = `${LINE_SIZE}px ${family}`
  const lines: string[] = []
  for (const part of [caption.period, ...caption.scope]) {
    const joined = lines.length > 0 ? `${lines.at(-1)} · ${part}` : part
    if (lines.length > 0 && paint.measureText(joined).width <= width) lines[lines.length - 1] = joined
    else lines.push(part)
  }
  return lines
}

/** The first ground that is not see-through: a picture has no page behind it. */
function colourBehind(from: HTMLElement): string {
  for (let each: HTMLElement | null = from; each; each = each.parentElement) {
    const { backgroundColor } = getComputedStyle(each)
    if (!isClear(backgroundColor)) return backgroundColor
  }
  return '#fff'
}

const isClear = (colour: string) => colour === 'transparent' || /^rgba\(.*, 0\)$/.test(colour)

/** Depth first, as a browser paints what neither floats nor is lifted. */
function paintBelow(paint: CanvasRenderingContext2D, parent: Element): void {
  for (const node of parent.childNodes) {
    if (node instanceof Text) paintText(paint, node)
    if (node instanceof HTMLElement) paintElement(paint, node)
  }
}

function paintElement(paint: CanvasRenderingContext2D, element: HTMLElement): void {
  const look = getComputedStyle(element)
  const isHidden = look.display === 'none' || look.visibility === 'hidden' || element.matches('.hidden-text')
  if (isHidden || 'notDrawn' in element.dataset) return
  paint.save()
  paint.globalAlpha *= Number(look.opacity)
  const box = element.getBoundingClientRect()
  paintBox(paint, box, look)
  if (element instanceof HTMLCanvasElement) paint.drawImage(element, box.left, box.top, box.width, box.height)
  for (const side of ['::before', '::after']) paintMark(paint, element, side)
  paintBelow(paint, element)
  paint.restore()
}

function paintBox(paint: CanvasRenderingContext2D, box: DOMRect, look: CSSStyleDeclaration): void {
  if (box.width === 0 || box.height === 0) return paintEdges(paint, box, look)
  if (!isClear(look.backgroundColor)) {
    const corners = [
      look.borderTopLeftRadius,
      look.borderTopRightRadius,
      look.borderBottomRightRadius,
      look.borderBottomLeftRadius,
    ].map((radius) => Math.min(Number.parseFloat(radius) || 0, box.width / 2, box.height / 2))
    paint.fillStyle = look.backgroundColor
    paint.beginPath()
    paint.roundRect(box.left, box.top, box.width, box.height, corners)
    paint.fill()
  }
  paintEdges(paint, box, look)
}

function paintEdges(paint: CanvasRenderingContext2D, box: DOMRect, look: CSSStyleDeclaration): void {
  const edge = (
    width: string,
    style: string,
    colour: string,
    at: (size: number) => [number, number, number, number],
  ) => {
    const size = Number.parseFloat(width)
    if (!(size > 0) || style === 'none' || isClear(colour)) return
    paint.fillStyle = colour
    paint.fillRect(...at(size))
  }
  const { left, top, right, bottom, width, height } = box
  edge(look.borderTopWidth, look.borderTopStyle, look.borderTopColor, (size) => [left, top, width, size])
  edge(look.borderBottomWidth, look.borderBottomStyle, look.borderBottomColor, (size) => [
    left,
    bottom - size,
    width,
    size,
  ])
  edge(look.borderLeftWidth, look.borderLeftStyle, look.borderLeftColor, (size) => [left, top, size, height])
  edge(look.borderRightWidth, look.borderRightStyle, look.borderRightColor, (size) => [right - size, top, size, height])
}

/** The little square before a word of the key: it has no box of its own to ask, so it stands where the word begins. */
function paintMark(paint: CanvasRenderingContext2D, element: HTMLElement, side: string): void {
  const look = getComputedStyle(element, side)
  const [width, height] = [Number.parseFloat(look.width), Number.parseFloat(look.height)]
  if (look.content === 'none' || look.display !== 'inline-block' || !(width > 0)) return
  const box = element.getBoundingClientRect()
  const tall = height + Number.parseFloat(look.borderTopWidth)
  const left =
    side === '::before' ? box.left + Number.parseFloat(getComputedStyle(element).paddingLeft) : box.right - width
  paintBox(paint, new DOMRect(left, box.top + (box.height - tall) / 2, width, tall), look)
}

/** Line by line as the browser broke it, with the width that it gave each. */
function paintText(paint: CanvasRenderingContext2D, text: Text): void {
  const element = text.parentElement
  if (!element || text.data.trim() === '') return
  const look = getComputedStyle(element)
  paint.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`
  paint.fillStyle = look.color
  for (const { words, box } of linesIn(text)) {
    const { fontBoundingBoxAscent, fontBoundingBoxDescent } = paint.measureText(words)
    const baseline = box.top + (box.height + fontBoundingBoxAscent - fontBoundingBoxDescent) / 2
    paint.fillText(words, box.left, baseline, Math.max(1, box.width))
  }
}

function linesIn(text: Text): { words: string; box: DOMRect }[] {
  const range = document.createRange()
  // Blanks at the ends may have no width, or belong to the words beside them.
  const [first, end] = [text.data.search(/\S/), text.data.trimEnd().length]
  range.setStart(text, first)
  range.setEnd(text, end)
  const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
  const [only] = boxes
  if (!only) return []
  if (boxes.length === 1) return [{ words: text.data.slice(first, end).replaceAll(/\s+/g, ' '), box: only }]
  const lines: { words: string; box: DOMRect }[] = []
  for (let at = first; at < end; at += 1) {
    range.setStart(text, at)
    range.setEnd(text, at + 1)
    const box = range.getBoundingClientRect()
    const last = lines.at(-1)
    if (last && Math.abs(last.box.top - box.top) < box.height / 2) {
      last.words += text.data[at] ?? ''
      last.box = new DOMRect(last.box.left, last.box.top, box.right - last.box.left, last.box.height)
    } else if (box.width > 0) lines.push({ words: text.data[at] ?? '', box })
  }
  return lines.map(({ words, box }) => ({ words: words.trimEnd(), box }))
}
