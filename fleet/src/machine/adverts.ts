import { say } from '../link/delivery'
import { type Machine, steadyMs, wallMs } from '../world'
import type { Outcome } from './chores'
import { isoAt, minuteOfDay } from './clock'
import { fetchFile, type NamedFile } from './fetchFile'

/** As `push_ads` says it (docs/DEVICES.md). */
type Ad = NamedFile & {
  ad: string
  seconds: number
  from: string
  to: string
  fromHour: number
  toHour: number
  playsPerHour: number
}
/** What the machine plays, and the files that it has checked. What they show it need not keep: it has no screen. */
type List = { version: number; ads: Ad[]; held: string[] }
type Counts = Record<string, { plays: number; seconds: number }>
/** By day; `isTold`: of a day that is over all was said. */
type Days = Record<string, { counts: Counts; isTold: boolean }>

const LIST = 'adverts'
const PLAYS = 'plays'
const noteOf = <T>({ world, code }: Machine, name: string, none: T): T =>
  (world.outbox.memory(code).get(name) as T | undefined) ?? none
export const advertsOf = (machine: Machine): List => noteOf(machine, LIST, { version: 0, ads: [], held: [] })

/** Fetches what it does not have, then plays the new list; where a file could not be had, the one before goes on. */
export async function takeAdverts(machine: Machine, data: Record<string, unknown>): Promise<Outcome> {
  const { version, ads } = data as Partial<List>
  if (typeof version !== 'number' || !Array.isArray(ads)) return { state: 'refused', detail: 'malformed' }
  const before = advertsOf(machine)
  if (version < before.version) return { state: 'refused', detail: 'outdated' }
  machine.screen.lists += 1
  const { lists } = machine.screen
  const goesOn = () => machine.isOn && machine.screen.lists === lists
  const held = new Set(before.held)
  const lost: { ad: string; why: string }[] = []
  for (const file of ads) {
    if (held.has(file.sha256)) continue
    const why = await fetchFile(machine, file, goesOn)
    if (!goesOn()) return { state: 'failed', detail: 'superseded' }
    if (why) lost.push({ ad: file.ad, why })
    else held.add(file.sha256)
  }
  const [first] = lost
  if (!first) {
    const named = new Set(ads.map(({ sha256 }) => sha256))
    const list: List = { version, ads, held: [...held].filter((sha256) => named.has(sha256)) }
    return { state: 'done', result: { version }, remember: { [LIST]: list } }
  }
  const remember = { [LIST]: { ...before, held: [...held] } }
  return { state: 'failed', detail: first.why, result: { version, lost }, remember }
}

/** Told at each so-manieth time. */
const TOLD_EVERY = 10
const KEPT_DAYS = 7
const MINUTE_MS = 60_000

/**
 * What was played since it was asked last: by its own calendar, each entry in its days and hours, evenly over the hour.
 * While a customer is served the screen is theirs, and what would have been played then is not made up for.
 */
export function playAdverts(machine: Machine): void {
  const { world, screen, timeZone } = machine
  const minutes = Math.min(2, (steadyMs(machine) - screen.playedMs) / MINUTE_MS)
  screen.playedMs = steadyMs(machine)
  screen.runs += 1
  const { ads } = advertsOf(machine)
  const days = noteOf<Days>(machine, PLAYS, {})
  if (ads.length === 0 && Object.keys(days).length === 0) return
  const now = wallMs(machine)
  const today = isoAt(now, timeZone).slice(0, 10)
  const hour = Math.floor(minuteOfDay(now, timeZone) / 60)
  const counts: Counts = { ...days[today]?.counts }
  for (const { ad, seconds, from, to, fromHour, toHour, playsPerHour } of machine.isBusy ? [] : ads) {
    if (today < from || today > to || hour < fromHour || hour >= toHour) continue
    const due = (screen.carried.get(ad) ?? 0) + (playsPerHour * minutes) / 60
    const plays = Math.floor(due)
    screen.carried.set(ad, due - plays)
    const before = counts[ad] ?? { plays: 0, seconds: 0 }
    counts[ad] = { plays: before.plays + plays, seconds: before.seconds + plays * seconds }
  }
  const others = Object.entries(days).filter(([day]) => day !== today)
  const kept = others.sort(([a], [b]) => (a < b ? 1 : -1)).slice(0, KEPT_DAYS)
  const all: Days = { ...Object.fromEntries(kept), [today]: { counts, isTold: false } }
  const isDue = screen.runs % TOLD_EVERY === 0 || others.some(([, { isTold }]) => !isTold)
  if (machine.isUp && isDue) tell(machine, all, today)
  void world.outbox.commit(machine.code, { put: [], remember: { [PLAYS]: all } })
}

const MOST_ADS = 100

/** Today so far, and once each day that ended since, also one on which there was no network. */
function tell(machine: Machine, days: Days, today: string): void {
  for (const [day, told] of Object.entries(days)) {
    if (told.isTold) continue
    const ads = Object.entries(told.counts).map(([ad, counts]) => ({ ad, ...counts }))
    if (ads.length > 0) say(machine, 'ad.play', { ...(day === today ? {} : { day }), ads: ads.slice(0, MOST_ADS) })
    told.isTold = day !== today
  }
}
