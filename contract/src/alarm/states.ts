import { stateTable } from '../kernel/states'

/** Follows its cause: a rule opens and closes it; people say that they know, who sees to it, that it is over. */
export const alarmState = stateTable({
  initial: 'open',
  states: ['open', 'acknowledged', 'assigned', 'closed'],
  moves: {
    acknowledge: { from: ['open'], to: 'acknowledged' },
    assign: { from: ['open', 'acknowledged', 'assigned'], to: 'assigned' },
    close: { from: ['open', 'acknowledged', 'assigned'], to: 'closed' },
  },
})
export type AlarmState = (typeof alarmState.states)[number]

export const alarmLevels = ['critical', 'warning', 'notice'] as const
export type AlarmLevel = (typeof alarmLevels)[number]

/** What can be wrong with a machine, and how bad it is; the words are `cause.<name>` (device protocol, section 6). */
export const alarmCauses = {
  offline: 'warning',
  machine_fault: 'critical',
  slot_fault: 'warning',
  jam: 'warning',
  repeated_failure: 'critical',
  temperature: 'critical',
  humidity: 'warning',
  temperature_gap: 'warning',
  door_open: 'warning',
  door_unexpected: 'critical',
  low_change: 'notice',
  out_of_stock: 'warning',
  selling_out: 'notice',
  stock_impossible: 'notice',
  payment_failure: 'warning',
  command_failure: 'warning',
  clock_drift: 'notice',
  message_gap: 'notice',
  price_differs: 'warning',
  planogram_differs: 'notice',
  no_sales: 'warning',
  flow_limit: 'notice',
  flow_card_expiry: 'notice',
  dex_differs: 'warning',
  cash_differs: 'warning',
  unlawful_sale: 'critical',
  goods_differ: 'warning',
  batch_order: 'warning',
  batch_mixed: 'notice',
  sold_twice: 'critical',
  dex_wrong_machine: 'critical',
  counter_reset: 'notice',
  complaints: 'warning',
  wrong_secret: 'critical',
  cloned: 'critical',
  device: 'warning',
} as const satisfies Record<string, AlarmLevel>
export type AlarmCause = keyof typeof alarmCauses
export const alarmCauseNames = Object.keys(alarmCauses) as readonly AlarmCause[]

/** What a cause keeps from selling; nothing for those that only want to be known. */
export const alarmStops: Partial<Record<AlarmCause, 'machine' | 'slot'>> = {
  offline: 'machine',
  machine_fault: 'machine',
  temperature: 'machine',
  no_sales: 'machine',
  slot_fault: 'slot',
  jam: 'slot',
  repeated_failure: 'slot',
  out_of_stock: 'slot',
}
