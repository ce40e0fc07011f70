import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import type { Place, Spot } from '../src/ui/chart/projection'
import { patterson, type WorldProjection } from '../src/ui/chart/worldProjection'
import { extent, readDashes, readProvinces, ringPath } from './chinaMap'

const VIRTUAL = 'virtual:world-map'
const RESOLVED = `\0${VIRTUAL}`

const WIDTH = 2000
/** China stands left of the middle, as on the maps of the world that hang in China; the cut is in the Atlantic. */
const MIDDLE_LON = 150
/** Nobody sells beyond. */
const [SOUTH, NORTH] = [-56, 78]

export type WorldMap = {
  width: number
  height: number
  projection: WorldProjection
  /** All land without a single border: who draws borders takes sides. */
  land: string
  /** The outline of China as the map of China has it, with its dashes in the South China Sea. */
  china: string
  dashes: string
}

/** The world as SVG paths, made at build time from the land of Natural Earth and the map of China shown anyway. */
export function worldMapPlugin(): Plugin {
  return {
    name: 'world-map',
    resolveId: (id) => (id === VIRTUAL ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? `export const worldMap = ${JSON.stringify(worldMap())}` : undefined),
  }
}

export function worldMap(): WorldMap {
  const scale = WIDTH / (2 * Math.PI)
  const flat: WorldProjection = { middleLon: MIDDLE_LON, scale, width: WIDTH, top: 0 }
  const top = -(patterson(flat, [MIDDLE_LON, NORTH])[1] ?? 0)
  const projection = { ...flat, top }
  const height = Math.ceil(patterson(projection, [MIDDLE_LON, SOUTH])[1])
  const project = (place: Place): Spot => patterson(projection, place)
  return {
    width: WIDTH,
    height,
    projection,
    land: readLand()
      .flatMap((ring) => unbroken(ring.map(project)))
      .filter((ring) => isShown(ring, height))
      .map(ringPath)
      .join(''),
    china: readProvinces()
      .flatMap(({ rings }) => rings.map((ring) => ring.map(project)))
      .filter(isLargeEnough)
      .map(ringPath)
      .join(''),
    dashes: readDashes()
      .map((ring) => ringPath(ring.map(project)))
      .join(''),
  }
}

/** A ring across the cut of the map is drawn whole at either edge; what is too much is outside the drawing. */
function unbroken(ring: readonly Spot[]): Spot[][] {
  let shift = 0
  const whole = ring.map(([x, y], index): Spot => {
    const before = ring[index - 1]
    if (before && x - before[0] > WIDTH / 2) shift -= WIDTH
    if (before && before[0] - x > WIDTH / 2) shift += WIDTH
    return [x + shift, y]
  })
  const [west, east] = extent(whole.map(([x]) => x))
  const copies = [whole]
  if (west < 0) copies.push(whole.map(([x, y]) => [x + WIDTH, y]))
  if (east > WIDTH) copies.push(whole.map(([x, y]) => [x - WIDTH, y]))
  return copies
}

function isShown(ring: readonly Spot[], height: number): boolean {
  const [west, east] = extent(ring.map(([x]) => x))
  const [north, south] = extent(ring.map(([, y]) => y))
  return east > 0 && west < WIDTH && south > 0 && north < height && isLargeEnough(ring)
}

/** Rings within a single unit would be a dot each. */
function isLargeEnough(ring: readonly Spot[]): boolean {
  const [west, east] = extent(ring.map(([x]) => x))
  const [north, south] = extent(ring.map(([, y]) => y))
  return east - west >= 1 || south - north >= 1
}

type Topology = {
  transform: { scale: [number, number]; translate: [number, number] }
  arcs: [number, number][][]
  objects: { land: { geometries: { arcs: number[][][] }[] } }
}

/** TopoJSON: rings are lists of arcs, backwards where the number is negative; arcs are steps on a grid. */
function readLand(): Place[][] {
  const { transform, arcs, objects }: Topology = createRequire(import.meta.url)('world-atlas/land-110m.json')
  const decoded = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): Place => {
      x += dx
      y += dy
      return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]]
    })
  })
  const arcOf = (number: number): Place[] =>
    number < 0 ? [...(decoded[~number] ?? [])].reverse() : (decoded[number] ?? [])
  const polygons = objects.land.geometries.flatMap((geometry) => geometry.arcs)
  return polygons.flatMap((rings) =>
    rings.map((ring) => ring.flatMap((number, at) => arcOf(number).slice(at > 0 ? 1 : 0))),
  )
}
