import { MAP_POINTS_KEPT, type PushMessage, type SalePoint, TAG_NEW_SALE } from '@aisle/contract/wallboard/board'

/** A sale as the map and the list show it. A foreign push names no place, amount or time. */
export type Sale = {
  key: string
  productName: string
  /** Empty: the default goods picture. */
  picture: string
  place: string
  lon: number
  lat: number
  amountFen: number | null
  at: string
  isAbroad: boolean
}

export function saleOfPoint(point: SalePoint): Sale {
  const { productName, place, amountFen, at, isAbroad } = point
  const [lon, lat, picture] = point.value
  return { key: keyOf(at, lon, lat, productName), productName, picture, place, lon, lat, amountFen, at, isAbroad }
}

/** The new point in a push, if it brings one. `receivedAt` stands in where the message has no time of its own. */
export function saleOfPush(message: PushMessage, receivedAt: string): Sale | null {
  const { productName, value, at = receivedAt, place = '', amountFen = null, isAbroad = false } = message
  if (message.tag !== TAG_NEW_SALE || !value) return null
  const [lon, lat, picture] = value
  if (!Number.isFinite(lon) || !Number.isFinite(lat)) return null
  const name = productName ?? ''
  const key = keyOf(at, lon, lat, name)
  return { key, productName: name, picture: picture ?? '', place, lon, lat, amountFen, at, isAbroad }
}

/**
 * In front of the list (spec §4), but for a sale that its machine told late: that stands where its time belongs. None
 * twice (a refetch may already have brought a push's sale), the newest 80.
 */
export function addInFront(sales: readonly Sale[], fresh: readonly Sale[]): readonly Sale[] {
  const known = new Set(sales.map(({ key }) => key))
  const added = fresh.filter(({ key }) => {
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
  return added.length === 0 ? sales : [...added, ...sales].sort(newestFirst).slice(0, MAP_POINTS_KEPT)
}

/**
 * The server's list is the truth about what was missed; only what a push put in front while the list was under way
 * stays in front of it.
 */
export function catchUp(sales: readonly Sale[], fetched: readonly Sale[]): readonly Sale[] {
  const known = new Set(fetched.map(({ key }) => key))
  const overlap = sales.findIndex(({ key }) => known.has(key))
  const list = addInFront(unique(fetched), sales.slice(0, Math.max(0, overlap)))
  const isSame = list.length === sales.length && list.every(({ key }, i) => key === sales[i]?.key)
  return isSame ? sales : list
}

/** All are written the same way, so that texts compare as times do. */
const newestFirst = (one: Sale, other: Sale) => (one.at === other.at ? 0 : one.at > other.at ? -1 : 1)

const unique = (sales: readonly Sale[]) => addInFront([], sales)
const keyOf = (at: string, lon: number, lat: number, name: string) => `${at}|${lon}|${lat}|${name}`
