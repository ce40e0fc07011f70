import { between, chance, type Random } from '../random'
import { settingsOf } from './memory'
import { type Machine, type Slot, steadyMs, wallMs } from '../world'

/** What motor and light curtain say of one piece. Two facts: neither follows from the other (docs/DEVICES.md). */
export type Turn = { ok: boolean; motorCode: string; sensorCode: string; durationMs: number; attempts: number }
/** With the code of the pack that fell, where it has one. */
export type Fallen = Turn & { traceCode?: string }

type Codes = readonly [motorCode: string, sensorCode: string]

const DROPPED: Codes = ['100', '01']
const NO_DROP: Codes = ['100', '03']
/** Half of what fails is goods that hang; the rest is a broken wire, a motor that draws too much or takes too long. */
const failures: readonly Codes[] = [NO_DROP, NO_DROP, NO_DROP, ['103', '03'], ['102', '03'], ['101', '03']]
/** The goods came out although the motor complained. */
const ODD_SUCCESS: Codes = ['103', '01']
const ODD_SHARE = 0.002
/** A count that waited for a machine a week shall still find what was sold since. */
const MOST_MOVES = 100

/** The motor turns for one thing at a time; later ones wait for their turn. */
export function whenMotorIsFree(machine: Machine, run: () => Promise<void>): Promise<void> {
  machine.motor = machine.motor.then(run)
  return machine.motor
}

/** Turns the motor of a slot and lets the piece fall, or not. The caller writes the result down. */
export async function turn(machine: Machine, slot: Slot, isSale = true): Promise<Fallen> {
  const { settings } = machine.world
  machine.turns += 1
  const durationMs = between(machine.random, settings.vendMs)
  await passed(machine, durationMs)
  const [motorCode, sensorCode] = draw(machine.random, slot.stock, settings.jamShare)
  const ok = sensorCode === '01'
  if (ok) moveStock(machine, slot, -1)
  if (ok && isSale) countSale(slot)
  if (!ok && motorCode !== '100') slot.fault = motorCode
  const [traceCode] = ok ? slot.traceCodes : []
  if (traceCode !== undefined) slot.traceCodes = slot.traceCodes.slice(1)
  const turned = { ok, motorCode, sensorCode, durationMs, attempts: ok ? 1 : 2 }
  return traceCode === undefined ? turned : { ...turned, traceCode }
}

/** A piece that stays in because one before it hung. */
export const LEFT: Turn = { ok: false, motorCode: '104', sensorCode: '00', durationMs: 0, attempts: 0 }

/** Whether the pieces after this one are handed out too, as the machine was told; nobody told it: no. */
export const goesOn = (machine: Machine, { ok }: { ok: boolean }): boolean =>
  ok || settingsOf(machine).shipsAfterJam === true

/** The customer says yes to the goods, unless the machine was told not to ask. */
export async function touched(machine: Machine): Promise<void> {
  if (settingsOf(machine).shipsDirectly === true) return
  await passed(machine, between(machine.random, machine.world.settings.touchMs))
}

async function passed(machine: Machine, durationMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    machine.tickets.motor = machine.world.wheel.after(machine.isHurried ? 0 : durationMs, resolve)
  })
  machine.tickets.motor = null
}

/** The one way in which a machine's own figure changes by what comes out of a slot or is put in. */
export function moveStock(machine: Machine, slot: Slot, change: number): void {
  slot.stock += change
  slot.moves = [...slot.moves.slice(1 - MOST_MOVES), { atMs: wallMs(machine), change }]
}

/** What a count at a time leaves in the slot by now: it does not undo what was sold or filled after it. */
export const stockSince = (slot: Slot, { pieces, atMs }: { pieces: number; atMs: number }): number =>
  slot.moves.reduce((stock, move) => (move.atMs > atMs ? stock + move.change : stock), pieces)

function countSale(slot: Slot): void {
  slot.sold += 1
  slot.soldFen += slot.priceFen ?? 0
}

/** For a program that must end within seconds: what a motor was doing is done now, so that nothing is left open. */
export function hurryMotor(machine: Machine): Promise<void> {
  const ticket = machine.tickets.motor
  machine.isHurried = true
  machine.world.wheel.cancel(ticket)
  ticket?.run()
  return machine.motor
}

function draw(random: Random, stock: number, jamShare: number): Codes {
  if (stock <= 0) return NO_DROP
  if (chance(random, jamShare)) return failures[Math.floor(random() * failures.length)]!
  return chance(random, ODD_SHARE) ? ODD_SUCCESS : DROPPED
}

export const isSellable = (machine: Machine, slot: Slot): boolean =>
  slot.product !== null &&
  slot.priceFen !== null &&
  slot.priceFen > 0 &&
  slot.stock > 0 &&
  slot.fault === null &&
  !slot.isLocked &&
  !slot.isStopped &&
  slot.closedUntilMs <= steadyMs(machine)

/** The machine's own note of what is left, beside what the plan said when the counting began. */
export const stockNote = (slot: Slot): Record<string, StockNote> => {
  const { code, plannedStock: planned, product, stock: left, ...kept } = slot
  const { sold, soldFen, soldCashFen, moves, traceCodes, lapsed } = kept
  return { [`stock:${code}`]: { planned, product, left, sold, soldFen, soldCashFen, moves, traceCodes, lapsed } }
}
export type StockNote = {
  planned: number
  product: string | null
  left: number
  sold: number
  soldFen: number
  soldCashFen: number
  moves: Slot['moves']
  traceCodes: Slot['traceCodes']
  lapsed: Slot['lapsed']
}
