import { stateTable } from '../kernel/states'

/** A person's choice (domain rules, machines): a stopped machine refuses orders. */
export const machineOperation = stateTable({
  initial: 'in_operation',
  states: ['in_operation', 'stopped'],
  moves: {
    stopSale: { from: ['in_operation'], to: 'stopped' },
    resumeSale: { from: ['stopped'], to: 'in_operation' },
  },
})
export type MachineOperation = (typeof machineOperation.states)[number]

/** What is shown of it: until its machine said that it goes by the choice, the choice is only wanted. */
export const shownOperations = ['in_operation', 'stopped', 'stop_wanted', 'resume_wanted'] as const
export type ShownOperation = (typeof shownOperations)[number]

/** What holds here, whatever its machine knows of it. */
export const choiceOf = (shown: ShownOperation): MachineOperation =>
  shown === 'stopped' || shown === 'stop_wanted' ? 'stopped' : 'in_operation'

/** Follows from the last message; silence since the beginning is `unknown`, never "fine". */
export const connections = ['online', 'offline', 'unknown'] as const
export type Connection = (typeof connections)[number]

/** May hold together, worst first (spec §4, machine operation). */
export const conditions = ['fault', 'temperature_abnormal', 'low_stock', 'low_change'] as const
export type Condition = (typeof conditions)[number]

export const slotStates = [
  'normal',
  'abnormal',
  'fault',
  'out_of_stock',
  'reserved_only',
  'price_abnormal',
  'stopped_sale',
  'offline',
] as const
export type SlotState = (typeof slotStates)[number]

/** No sign of life for this long and a machine counts as offline: three heartbeats missed. */
export const OFFLINE_AFTER_MS = 180_000

/**
 * A temperature or a humidity older than this says nothing of now: in range a record is due every 30 minutes (GSP,
 * appendix 3), with half a minute for the way.
 */
export const MEASURED_HOLDS_MS = 1_830_000

/**
 * What a slot's state is, from facts first and a person's choice last (spec §4, slots).
 * @param slot.stock pieces, may be below 0 until a count corrects it
 */
export function slotState(slot: {
  fault: string | null
  choice: 'none' | 'stopped_sale' | 'reserved_only'
  stock: number
  priceFen: number | null
  hasProduct: boolean
  /** Closed to everybody, pick-ups too. */
  isLocked: boolean
  /** Its product is sold nowhere for the time being. */
  isOffline: boolean
}): SlotState {
  if (slot.fault) return 'fault'
  if (slot.isOffline) return 'offline'
  if (slot.isLocked || slot.choice === 'stopped_sale') return 'stopped_sale'
  if (!slot.hasProduct) return 'abnormal'
  if (!slot.priceFen) return 'price_abnormal'
  if (slot.stock <= 0) return 'out_of_stock'
  if (slot.choice === 'reserved_only') return 'reserved_only'
  return 'normal'
}
