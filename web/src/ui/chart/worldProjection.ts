import type { Place, Spot } from './projection'

/** `top` is how far north of the equator the drawing begins, in units. */
export type WorldProjection = { middleLon: number; scale: number; width: number; top: number }

/**
 * Patterson's cylindrical projection (2014): continents look as on a globe's face, poles are not drawn out, and
 * longitudes are upright, so that the map can be cut anywhere.
 */
export function patterson({ middleLon, scale, width, top }: WorldProjection, [lon, lat]: Place): Spot {
  const east = ((((lon - middleLon + 180) % 360) + 360) % 360) - 180
  const phi = (lat * Math.PI) / 180
  const square = phi * phi
  const y = phi * (1.0148 + square * square * (0.23185 + square * (-0.14499 + square * 0.02406)))
  return [width / 2 + (scale * east * Math.PI) / 180, top - scale * y]
}
