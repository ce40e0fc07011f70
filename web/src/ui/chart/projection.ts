/**
 * Albers' equal-area conic, the projection China's own atlases use: provinces keep their true size against each other.
 * `inset` is the framed box of the South China Sea, which is a schematic drawing at its own scale.
 */
export type Projection = {
  centralMeridian: number
  n: number
  c: number
  rho0: number
  scale: number
  dx: number
  dy: number
  inset: Inset
}

/** Where the box stands, where in it the place `lon`, `lat` is drawn, and how many units its degrees are long. */
type Inset = {
  x: number
  y: number
  width: number
  height: number
  lon: number
  lat: number
  atX: number
  atY: number
  perLon: number
  perLat: number
}

export type Place = readonly [lon: number, lat: number]
export type Spot = readonly [x: number, y: number]

/** South of Hainan the main map ends; what is sold there shows in the inset. */
const MAIN_MAP_SOUTH_LAT = 17.6

const radians = (angle: number) => (angle * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI

export function albers(standardSouth: number, standardNorth: number, lat0: number, centralMeridian: number) {
  const [south, north] = [radians(standardSouth), radians(standardNorth)]
  const n = (Math.sin(south) + Math.sin(north)) / 2
  const c = Math.cos(south) ** 2 + 2 * n * Math.sin(south)
  return { centralMeridian, n, c, rho0: radius(n, c, lat0) }
}

export function project(projection: Projection, [lon, lat]: Place): Spot {
  if (lat < MAIN_MAP_SOUTH_LAT) return projectInset(projection.inset, [lon, lat])
  const { n, c, rho0, scale, dx, dy, centralMeridian } = projection
  const rho = radius(n, c, lat)
  const theta = n * radians(lon - centralMeridian)
  return [dx + scale * rho * Math.sin(theta), dy - scale * (rho0 - rho * Math.cos(theta))]
}

/** A place that is no part of the map (a machine without coordinates says 0, 0) is nowhere rather than in the sea. */
export const isOnMap = ([lon, lat]: Place) => lon >= 73 && lon <= 136 && lat >= 3 && lat <= 54

/** The place that is drawn at a spot: the other way of `project`. */
export function unproject(projection: Projection, [x, y]: Spot): Place {
  const { n, c, rho0, scale, dx, dy, centralMeridian, inset } = projection
  const isInset = x >= inset.x && x <= inset.x + inset.width && y >= inset.y && y <= inset.y + inset.height
  if (isInset) return [inset.lon + (x - inset.atX) / inset.perLon, inset.lat - (y - inset.atY) / inset.perLat]
  const [across, down] = [(x - dx) / scale, rho0 - (dy - y) / scale]
  const theta = Math.atan2(across, down)
  const sine = (c - (n * Math.hypot(across, down)) ** 2) / (2 * n)
  return [centralMeridian + degrees(theta / n), degrees(Math.asin(clamp(sine, -1, 1)))]
}

function projectInset(inset: Inset, [lon, lat]: Place): Spot {
  const x = inset.atX + (lon - inset.lon) * inset.perLon
  const y = inset.atY + (inset.lat - lat) * inset.perLat
  return [clamp(x, inset.x, inset.x + inset.width), clamp(y, inset.y, inset.y + inset.height)]
}

const radius = (n: number, c: number, lat: number) => Math.sqrt(c - 2 * n * Math.sin(radians(lat))) / n
const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)
