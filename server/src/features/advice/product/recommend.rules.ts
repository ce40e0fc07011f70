import type { RecommendationKind } from '@aisle/contract/advice/recommendation'
import { studentOf } from '../../promotion/public'

/** Facts of the last four weeks; of less than a whole week of a machine nothing is said, since days differ. */
export const FACT_DAYS = 28
const LEAST_DAYS = 7
const MONTH = 30
/** Fewer machines say nothing of how much such machines differ. */
const LEAST_PEERS = 3
/** A mean of few machines counts as if so many more had earned what a usual slot of the machine does. */
const BORROWED_PEERS = 2
/** Sold so often, it is known how it sells while it is there. */
const LEAST_SOLD = 10
const OFTEN_EMPTY = 0.2
const LEAST_GAIN_FEN = 500
const MOST_A_MACHINE = 5
/** Write-offs are rare: they are looked at over so many days. */
export const LOSS_DAYS = 84
/** What expires within so many days is lost, but for what is sold until then. */
export const EXPIRY_DAYS = 30

/** A product in the slots of a machine, over the machine's days. */
export type Held = {
  productId: number
  /** Of its slots the one with least in it that nobody has plans for. */
  slotId: number | null
  slots: number
  priceFen: number | null
  pieces: number
  marginFen: number
  /** Slot-days without any. */
  outDays: number
  lossFen: number
  expiringPieces: number
  costFen: number
  stoodSince: string | null
  /** It was there before these days began, and has had its chance. */
  isSettled: boolean
  /** Its oldest piece lies there since before these days began. */
  isOld: boolean
}

export type Machine = {
  id: number
  /** Its merchant and those above. */
  merchantId: number
  path: readonly number[]
  placeKind: string
  days: number
  salesFen: number
  emptySlots: readonly number[]
  /** Planned for the next service. */
  coming: ReadonlySet<number>
  held: readonly Held[]
}

/** Twice as much a day is one level more; the machines of a level sell alike. */
export const levelOf = ({ salesFen, days }: Pick<Machine, 'salesFen' | 'days'>): number =>
  Math.max(0, Math.floor(Math.log2(Math.max(1, salesFen / Math.max(1, days) / 100))))

/** Sales a day from which and below which machines are of a level. */
export const levelFen = (level: number) => ({ from: level === 0 ? 0 : 2 ** level * 100, to: 2 ** (level + 1) * 100 })

export type Seller = { machines: number; sum: number; squares: number; pieces: number }
export type Group = { machines: number; products: Map<number, Seller> }

const keyOf = (merchantId: number, machine: Machine) => `${merchantId}/${machine.placeKind}/${levelOf(machine)}`

/** What each product earns to a slot and month, by machines at such a place that sell as much, below each merchant. */
export function groupsOf(machines: readonly Machine[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const machine of machines) {
    if (machine.days < LEAST_DAYS) continue
    const earned = machine.held.map((held) => ({ held, ...earnedBy(machine, held) }))
    for (const merchantId of machine.path) {
      const key = keyOf(merchantId, machine)
      const group = groups.get(key) ?? { machines: 0, products: new Map<number, Seller>() }
      groups.set(key, group)
      group.machines += 1
      for (const { held, fen, pieces } of earned) {
        if (!held.isSettled) continue
        const seller = group.products.get(held.productId) ?? { machines: 0, sum: 0, squares: 0, pieces: 0 }
        group.products.set(held.productId, seller)
        seller.machines += 1
        seller.sum += fen
        seller.squares += fen * fen
        seller.pieces += pieces
      }
    }
  }
  return groups
}

export const groupFor = (groups: ReadonlyMap<string, Group>, machine: Machine): Group | undefined =>
  groups.get(keyOf(machine.merchantId, machine))

/** To a slot and month while it was not empty. */
function earnedBy({ days }: Machine, { slots, outDays, marginFen, pieces }: Held): { fen: number; pieces: number } {
  const stocked = Math.max(days * slots * 0.1, days * slots - outDays)
  return { fen: (marginFen / stocked) * MONTH, pieces: (pieces / stocked) * MONTH }
}

/** `basis`: the number of machines or sales that it is known from. */
type Estimate = { fen: number; pieces: number; variance: number; basis: number }
type Incoming = Estimate & { productId: number; kind: 'add' | 'widen'; priceFen: number; machinesWith: number } & {
  emptyPermille: number | null
}
type Outgoing = Estimate & { slotId: number; held: Held | null; lossFen: number; isRotten: boolean }

export type Advice = {
  machineId: number
  merchantId: number
  slotId: number
  kind: RecommendationKind
  incomingId: number | null
  outgoingId: number | null
  priceFen: number | null
  placeKind: string
  level: number
  machines: number
  machinesWith: number
  incomingFen: number
  incomingPieces: number
  outgoingFen: number
  outgoingPieces: number
  lossFen: number
  emptyPermille: number | null
  stoodSince: string | null
  gainFen: number
  lowFen: number
  highFen: number
}

/** What may be put there: at which price, or null where law, offer or assortment is against it. */
export type PriceFor = (productId: number) => number | null

/** Best against weakest, as long as it earns more than a trifle. */
export function adviseMachine(machine: Machine, group: Group | undefined, priceFor: PriceFor): Advice[] {
  if (machine.days < LEAST_DAYS) return []
  const outgoing = [...emptiesOf(machine), ...weakestOf(machine)]
  const incoming = [...missingOf(machine, group, priceFor), ...widenedOf(machine, priceFor)]
  incoming.sort((a, b) => b.fen - a.fen || a.productId - b.productId)
  const advice: Advice[] = []
  for (const out of outgoing) {
    if (advice.length === MOST_A_MACHINE) break
    const at = incoming.findIndex(({ productId }) => productId !== out.held?.productId)
    const [better] = at < 0 ? [] : incoming.slice(at, at + 1)
    const one = better ? exchange(machine, group, out, better) : removal(machine, group, out)
    if (one.gainFen < LEAST_GAIN_FEN) continue
    if (better) incoming.splice(at, 1)
    advice.push(one)
  }
  return advice.sort((a, b) => b.gainFen - a.gainFen)
}

function missingOf(machine: Machine, group: Group | undefined, priceFor: PriceFor): Incoming[] {
  const here = new Set(machine.held.map(({ productId }) => productId))
  const usual = usualOf(machine)
  return [...(group?.products ?? [])].flatMap(([productId, { machines, sum, squares, pieces }]) => {
    if (machines < LEAST_PEERS || here.has(productId) || machine.coming.has(productId)) return []
    const priceFen = priceFor(productId)
    if (priceFen === null) return []
    const mean = sum / machines
    const weight = machines / (machines + BORROWED_PEERS)
    const spread = Math.max(0, squares - machines * mean * mean) / (machines - 1) / machines
    // Machines that happen to agree still sell by chance.
    const chance = pieces > 0 ? (mean * mean) / pieces : 0
    const own = { fen: weight * mean + (1 - weight) * usual, variance: weight ** 2 * Math.max(spread, chance) }
    const known = { pieces: pieces / machines, basis: machines, machinesWith: machines, emptyPermille: null }
    return [{ ...own, ...known, productId, kind: 'add' as const, priceFen }]
  })
}

/** What a slot of the machine earns in a month, all of them together. */
function usualOf({ held, days }: Machine): number {
  const slots = held.reduce((sum, each) => sum + each.slots, 0)
  return slots === 0 ? 0 : (held.reduce((sum, each) => sum + each.marginFen, 0) / (slots * days)) * MONTH
}

/**
 * Twice the slots last twice as long: of a product that is there for a share of the time up to that much more is sold,
 * and never more than was missed.
 */
function widenedOf(machine: Machine, priceFor: PriceFor): Incoming[] {
  return machine.held.flatMap((held) => {
    const { productId, slots, outDays, pieces, marginFen } = held
    const empty = Math.min(1, outDays / (slots * machine.days))
    if (empty < OFTEN_EMPTY || pieces < LEAST_SOLD || marginFen <= 0 || machine.coming.has(productId)) return []
    const offered = priceFor(productId)
    if (offered === null) return []
    const whole = earnedBy(machine, held)
    // One slot more than there are.
    const gained = Math.min(empty, (1 - empty) / slots) * slots
    const fen = whole.fen * gained
    const known = { pieces: whole.pieces * gained, basis: pieces, machinesWith: 0 }
    const share = { emptyPermille: Math.round(empty * 1000), priceFen: held.priceFen ?? offered }
    return [{ fen, variance: (fen * fen) / pieces, ...known, ...share, productId, kind: 'widen' as const }]
  })
}

const emptiesOf = ({ emptySlots }: Machine): Outgoing[] =>
  emptySlots.map((slotId) => ({
    slotId,
    held: null,
    lossFen: 0,
    isRotten: false,
    fen: 0,
    pieces: 0,
    variance: 0,
    basis: 0,
  }))

/** As they are, with their empty times: what leaves the slot is what it really earned. */
function weakestOf(machine: Machine): Outgoing[] {
  const all = machine.held.flatMap((held): Outgoing[] => {
    const { slotId, slots, pieces, marginFen, isSettled, isOld } = held
    if (slotId === null || !isSettled) return []
    const toMonth = MONTH / (machine.days * slots)
    const sold = pieces * toMonth
    const surplus = Math.max(0, held.expiringPieces / slots - (sold / MONTH) * EXPIRY_DAYS) * held.costFen
    const lossFen = (held.lossFen / slots / LOSS_DAYS) * MONTH + surplus
    const earned = marginFen * toMonth
    const isRotten = (pieces <= 0 && isOld) || lossFen > Math.max(0, earned)
    const variance = pieces > 0 ? (earned * earned) / pieces : 0
    return [{ slotId, held, lossFen, isRotten, fen: earned - lossFen, pieces: sold, variance, basis: pieces }]
  })
  return all.sort((a, b) => a.fen - b.fen || a.slotId - b.slotId)
}

function exchange(machine: Machine, group: Group | undefined, out: Outgoing, better: Incoming): Advice {
  const { fen, variance, basis } = better
  const margin = studentOf(Math.max(2, basis - 1)) * Math.sqrt(variance + out.variance)
  return {
    ...about(machine, group, out, fen - out.fen, margin),
    kind: out.isRotten ? 'replace' : better.kind,
    incomingId: better.productId,
    priceFen: better.priceFen,
    machinesWith: better.machinesWith,
    incomingFen: Math.round(fen),
    incomingPieces: better.pieces,
    emptyPermille: better.emptyPermille,
  }
}

/** Nothing better is known: without it at least what is lost stays. */
const removal = (machine: Machine, group: Group | undefined, out: Outgoing): Advice => ({
  ...about(machine, group, out, -out.fen, studentOf(Math.max(2, out.basis - 1)) * Math.sqrt(out.variance)),
  kind: 'replace',
  incomingId: null,
  priceFen: null,
  machinesWith: 0,
  incomingFen: 0,
  incomingPieces: 0,
  emptyPermille: null,
})

function about(machine: Machine, group: Group | undefined, out: Outgoing, gain: number, margin: number) {
  return {
    machineId: machine.id,
    merchantId: machine.merchantId,
    slotId: out.slotId,
    outgoingId: out.held?.productId ?? null,
    placeKind: machine.placeKind,
    level: levelOf(machine),
    machines: group?.machines ?? 0,
    outgoingFen: Math.round(out.fen + out.lossFen),
    outgoingPieces: Math.max(0, out.pieces),
    lossFen: Math.round(out.lossFen),
    stoodSince: out.held?.stoodSince ?? null,
    gainFen: Math.round(gain),
    lowFen: Math.round(gain - margin),
    highFen: Math.round(gain + margin),
  }
}
