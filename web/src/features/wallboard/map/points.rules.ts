import type { Spot } from '../../../ui/chart/projection'

/** How a point looks by its position, 0 the newest: the older, the smaller and dimmer. Radii in drawing units. */
export function lookOf(position: number): { radius: number; alpha: number } {
  if (position === 0) return { radius: 19, alpha: 1 }
  if (position < 10) return { radius: 12, alpha: 0.95 - position * 0.02 }
  return { radius: position < 40 ? 9 : 7, alpha: Math.max(0.35, 0.75 - (position - 10) * 0.007) }
}

/** The point under the pointer: the nearest within reach, the newer of two at the same place. */
export function nearest(spots: readonly Spot[], [x, y]: Spot, reach: number): number | null {
  let found: number | null = null
  let best = reach * reach
  spots.forEach(([spotX, spotY], position) => {
    const distance = (spotX - x) ** 2 + (spotY - y) ** 2
    if (distance >= best) return
    best = distance
    found = position
  })
  return found
}

/** Which points carry their number: from the newest on, each that has room beside those that already do. */
export function numbered(spots: readonly Spot[], most: number, room: number): number[] {
  const taken: number[] = []
  for (let position = 0; position < spots.length && taken.length < most; position += 1) {
    const spot = spots[position]
    const isFree = spot && taken.every((other) => isApart(spot, spots[other], room))
    if (isFree) taken.push(position)
  }
  return taken
}

const isApart = ([x, y]: Spot, other: Spot | undefined, room: number) =>
  !other || Math.abs(other[0] - x) > room || Math.abs(other[1] - y) > room / 2
