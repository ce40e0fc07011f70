import { lookOf, numbered } from './points.rules'
import type { Spot } from '../../../ui/chart/projection'

/** `position` is the place in the list, 0 the newest; its number for people is one more. */
export type Dot = { spot: Spot; position: number }

const SPRITE_PIXELS = 128
/** The glow reaches this many times beyond the core of a point. */
const GLOW = 2.8
const NUMBERS = 9
const FONT_UNITS = 25
const SMALLEST_FONT_PIXELS = 10
/** On a phone a unit is so small that points would vanish. */
const SMALLEST_SCALE = 0.32

/**
 * The glowing points on a canvas of their own. It is drawn when the list or the size changes and at no other time: what
 * moves (the newest point's flash and rings) is left to the compositor, see map.css.
 */
export function pointLayer(canvas: HTMLCanvasElement) {
  const context = canvas.getContext('2d')
  const [bright, warm] = [sprite('#fffdf5', '#ffe3a0', '#ffb52e'), sprite('#ffe9b8', '#ffc857', '#f59e0b')]
  let dots: readonly Dot[] = []
  let scale = 1
  let pixelRatio = 1

  const sizeScale = () => Math.max(scale, SMALLEST_SCALE * pixelRatio)
  const draw = () => {
    if (!context) return
    context.clearRect(0, 0, canvas.width, canvas.height)
    context.globalCompositeOperation = 'lighter'
    for (const dot of [...dots].reverse()) drawDot(context, dot)
    context.globalCompositeOperation = 'source-over'
    drawNumbers(context)
  }
  const drawDot = (on: CanvasRenderingContext2D, { spot: [x, y], position }: Dot) => {
    const { radius, alpha } = lookOf(position)
    const size = radius * GLOW * sizeScale()
    on.globalAlpha = alpha
    on.drawImage(position === 0 ? bright : warm, x * scale - size, y * scale - size, 2 * size, 2 * size)
  }
  const drawNumbers = (on: CanvasRenderingContext2D) => {
    const pixels = Math.max(FONT_UNITS * scale, SMALLEST_FONT_PIXELS * pixelRatio)
    on.globalAlpha = 1
    on.font = `600 ${pixels}px system-ui, sans-serif`
    on.textBaseline = 'middle'
    on.lineWidth = pixels / 4
    on.strokeStyle = '#0a1730'
    on.fillStyle = '#fff4d6'
    const spots = dots.map(({ spot }) => spot)
    for (const index of numbered(spots, NUMBERS, (1.7 * pixels) / scale)) {
      const dot = dots[index]
      if (!dot) continue
      const x = dot.spot[0] * scale + lookOf(dot.position).radius * sizeScale() + pixels / 4
      on.strokeText(`${dot.position + 1}`, x, dot.spot[1] * scale)
      on.fillText(`${dot.position + 1}`, x, dot.spot[1] * scale)
    }
  }

  return {
    show: (newDots: readonly Dot[]) => {
      dots = newDots
      draw()
    },
    /** @param unitsWide how many units of the drawing the canvas is wide */
    resize: (cssWidth: number, cssHeight: number, unitsWide: number) => {
      pixelRatio = devicePixelRatio
      canvas.width = Math.round(cssWidth * pixelRatio)
      canvas.height = Math.round(cssHeight * pixelRatio)
      scale = canvas.width / unitsWide
      draw()
    },
  }
}

/** One glow, drawn once: a gradient for each point and frame would cost more than all the rest. */
function sprite(core: string, ring: string, halo: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = SPRITE_PIXELS
  canvas.height = SPRITE_PIXELS
  const context = canvas.getContext('2d')
  if (!context) return canvas
  const middle = SPRITE_PIXELS / 2
  const gradient = context.createRadialGradient(middle, middle, 0, middle, middle, middle)
  gradient.addColorStop(0, core)
  gradient.addColorStop(0.26, core)
  gradient.addColorStop(0.34, ring)
  gradient.addColorStop(0.38, `${halo}80`)
  gradient.addColorStop(0.6, `${halo}2e`)
  gradient.addColorStop(1, `${halo}00`)
  context.fillStyle = gradient
  context.fillRect(0, 0, SPRITE_PIXELS, SPRITE_PIXELS)
  return canvas
}
