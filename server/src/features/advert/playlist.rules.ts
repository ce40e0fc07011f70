import { mayShowAdverts } from '@aisle/contract/advert/law'
import type { PointKind } from '@aisle/contract/fleet/point'

export type Candidate = {
  bookingId: number
  priority: number
  /** Days and hours of the machine's own calendar; `toHour` is the first that is over. */
  startsOn: string
  endsOn: string
  fromHour: number
  toHour: number
  playsPerHour: number
  /** Those that may be played, in their order. */
  creatives: readonly { id: number; seconds: number }[]
}

/** An entry of a machine's list, as it is told and as it is proved. */
export type Ad = {
  ad: string
  bookingId: number
  creativeId: number
  from: string
  to: string
  fromHour: number
  toHour: number
  playsPerHour: number
}
export type Why = 'school' | 'full'
export type Playlist = { ads: Ad[]; leftOut: { bookingId: number; why: Why }[] }

const HOUR_SECONDS = 3_600
/** As many as a machine can say the counts of in one message, with those of a list that it had before on that day. */
const MOST_ADS = 50

/** What a machine calls an entry in its counts. */
export const adOf = (bookingId: number, creativeId: number): string => `${bookingId}-${creativeId}`

/**
 * What a machine plays. In a school or kindergarten nothing (Advertising Law, article 39). Else what is booked there,
 * most important first and what was booked earlier first, as long as each hour of each day has room for all of its
 * plays: what does not fit whole is left out whole, since nobody can be promised a part.
 */
export function playlistOf(place: PointKind, candidates: readonly Candidate[]): Playlist {
  const playable = candidates.filter(({ creatives }) => creatives.length > 0)
  if (!mayShowAdverts(place))
    return { ads: [], leftOut: playable.map(({ bookingId }) => ({ bookingId, why: 'school' })) }
  const taken: Candidate[] = []
  const list: Playlist = { ads: [], leftOut: [] }
  for (const each of playable.toSorted((a, b) => a.priority - b.priority || a.bookingId - b.bookingId)) {
    const ads = adsOf(each)
    if (list.ads.length + ads.length > MOST_ADS || !hasRoom(taken, each)) {
      list.leftOut.push({ bookingId: each.bookingId, why: 'full' })
      continue
    }
    taken.push(each)
    list.ads.push(...ads)
  }
  return list
}

/** Its plays are shared out evenly; where they don't divide, the first ones have one more. */
function adsOf({ bookingId, startsOn: from, endsOn: to, fromHour, toHour, playsPerHour, creatives }: Candidate): Ad[] {
  return creatives
    .map(({ id }, at) => ({
      ad: adOf(bookingId, id),
      bookingId,
      creativeId: id,
      from,
      to,
      fromHour,
      toHour,
      playsPerHour: Math.ceil((playsPerHour - at) / creatives.length),
    }))
    .filter(({ playsPerHour: plays }) => plays > 0)
}

function hasRoom(taken: readonly Candidate[], next: Candidate): boolean {
  const beside = taken.filter(({ startsOn, endsOn }) => startsOn <= next.endsOn && next.startsOn <= endsOn)
  for (let hour = next.fromHour; hour < next.toHour; hour += 1) {
    const there = [...beside.filter(({ fromHour, toHour }) => fromHour <= hour && hour < toHour), next]
    if (there.reduce((sum, each) => sum + secondsAnHour(each), 0) > HOUR_SECONDS) return false
  }
  return true
}

function secondsAnHour(candidate: Candidate): number {
  const lengths = new Map(candidate.creatives.map(({ id, seconds }) => [id, seconds]))
  return adsOf(candidate).reduce((sum, ad) => sum + ad.playsPerHour * (lengths.get(ad.creativeId) ?? 0), 0)
}
