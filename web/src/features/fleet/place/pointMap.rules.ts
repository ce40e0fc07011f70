import type { Spot } from '../../../ui/chart/projection'

/** What of a drawing is shown: its middle, and how many times it is enlarged. */
export type View = { x: number; y: number; zoom: number }
type Size = { width: number; height: number }

export const MOST_ZOOM = 512

/** The part of the drawing that is shown never leaves it. */
export function viewBox({ width, height }: Size, { x, y, zoom }: View): [number, number, number, number] {
  const [wide, high] = [width / zoom, height / zoom]
  return [between(x - wide / 2, 0, width - wide), between(y - high / 2, 0, height - high), wide, high]
}

/** Nearer or farther, around what was in the middle or, where there is one, around the mark. */
export function zoomed(view: View, by: number, mark: Spot | null): View {
  const zoom = between(view.zoom * by, 1, MOST_ZOOM)
  const [x, y] = mark ?? [view.x, view.y]
  return { x, y, zoom }
}

/** A mark that walks out of what is shown takes the view along. */
export function following(size: Size, view: View, [x, y]: Spot): View {
  const [left, top, wide, high] = viewBox(size, view)
  const isShown = x >= left && x <= left + wide && y >= top && y <= top + high
  return isShown ? view : { ...view, x, y }
}

const arrows: Record<string, Spot> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Where an arrow key takes a mark: a hundredth of what is shown, with Shift a tenth. */
export function stepped(size: Size, view: View, [x, y]: Spot, key: string, isLarge: boolean): Spot | null {
  const arrow = arrows[key]
  if (!arrow) return null
  const step = (size.width / view.zoom) * (isLarge ? 0.1 : 0.01)
  return [between(x + arrow[0] * step, 0, size.width), between(y + arrow[1] * step, 0, size.height)]
}

/** A metre is near enough. */
export const rounded = (degrees: number): number => Math.round(degrees * 100_000) / 100_000

const between = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)
