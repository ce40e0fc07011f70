import { stateTable } from '../kernel/states'

/** Cloud to machine. A command is delivered at least once and executed once, by its id (docs/DEVICES.md). */
export const commandTypes = [
  'ship',
  'test_vend',
  'self_check',
  'restart_app',
  'reboot',
  'push_prices',
  'push_planogram',
  'push_template',
  'set_thermostat',
  'lock_slot',
  'unlock_slot',
  'stop_sale',
  'resume_sale',
  'open_door',
  'upload_snapshot',
  'upload_log',
  'upload_photo',
  'update_app',
  'rollback_app',
  'set_volume_or_screen',
  'push_ads',
  'push_questions',
  'recall_batch',
  'set_license_mode',
  'set_flags',
] as const
export type CommandType = (typeof commandTypes)[number]

export const commandState = stateTable({
  initial: 'queued',
  states: ['queued', 'sent', 'received', 'done', 'failed', 'refused', 'expired', 'cancelled'],
  moves: {
    send: { from: ['queued'], to: 'sent' },
    /** To a machine that has just come back and may not have heard it. */
    sendAgain: { from: ['queued', 'sent'], to: 'sent' },
    /** An answer may be faster than the note that it was sent. */
    receive: { from: ['queued', 'sent'], to: 'received' },
    finish: { from: ['queued', 'sent', 'received'], to: 'done' },
    fail: { from: ['queued', 'sent', 'received'], to: 'failed' },
    refuse: { from: ['queued', 'sent', 'received'], to: 'refused' },
    /** Taken, and not a word since. */
    giveUp: { from: ['received'], to: 'failed' },
    expire: { from: ['queued', 'sent'], to: 'expired' },
    cancel: { from: ['queued', 'sent'], to: 'cancelled' },
  },
  sets: {
    waiting: ['queued', 'sent', 'received'],
    untaken: ['queued', 'sent'],
    bad: ['failed', 'refused'],
    /** The machine did what it could about it. */
    tried: ['done', 'failed'],
    ended: ['failed', 'refused', 'expired', 'cancelled'],
    /** To be asked once more by who wants it still. */
    undone: ['failed', 'refused', 'expired'],
    /** Over without a word of its machine, which may still come. */
    unanswered: ['cancelled', 'expired'],
  },
})
export type CommandState = (typeof commandState.states)[number]

/** What a machine may still say of a command that was cancelled, expired or given up here; kept beside its state. */
export const lateState = stateTable({
  initial: 'received',
  states: ['received', 'done', 'failed', 'refused'],
  moves: {
    finish: { from: ['received'], to: 'done' },
    fail: { from: ['received'], to: 'failed' },
    refuse: { from: ['received'], to: 'refused' },
  },
})

/** A machine that took a command and says no more for this long after its expiry is given up. */
export const SILENT_AFTER_MS = 10 * 60_000
/** The detail of a command that was given up; a machine's own details are its own words. */
export const SILENT = 'silent'

/** What machines say of a command that failed or was refused, beside words of their own (docs/DEVICES.md). */
export const commandDetails = [
  SILENT,
  'interrupted',
  'busy',
  'expired',
  'unknownSlot',
  'malformed',
  'unknownCommand',
  'checksumDiffers',
  'noFormerVersion',
  'notFetched',
  'notThere',
  'superseded',
  'outdated',
  'cancelled',
  'noAnswer',
] as const

/** Why the system itself asked for something; people say it in words of their own. */
export const systemReasons = ['temperature', 'temperature_by_hand', 'recall', 'recall_drill'] as const

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEK = 7 * 24 * HOUR

/** How long a command waits for its machine before it expires. What moves a motor or a door must not do so later. */
export const commandTtlMs: Record<CommandType, number> = {
  ship: MINUTE,
  test_vend: 2 * MINUTE,
  self_check: 10 * MINUTE,
  restart_app: 10 * MINUTE,
  reboot: 10 * MINUTE,
  push_prices: WEEK,
  push_planogram: WEEK,
  push_template: WEEK,
  set_thermostat: WEEK,
  lock_slot: WEEK,
  unlock_slot: WEEK,
  stop_sale: WEEK,
  resume_sale: WEEK,
  open_door: MINUTE,
  upload_snapshot: HOUR,
  upload_log: HOUR,
  upload_photo: 10 * MINUTE,
  update_app: 2 * 24 * HOUR,
  rollback_app: 2 * 24 * HOUR,
  set_volume_or_screen: WEEK,
  push_ads: WEEK,
  push_questions: WEEK,
  recall_batch: WEEK,
  set_license_mode: WEEK,
  set_flags: WEEK,
}

/** What a machine that is away can't be asked: by the time it is back nobody stands there any more. */
export const needsMachineNow = (type: CommandType): boolean => commandTtlMs[type] <= 10 * MINUTE

/** On down/cmd. `data` of `ship` is `{ orderNo, items: [{ index, slot }] }`, with the machine's own order number. */
export type Command = {
  cmdId: string
  type: CommandType
  expiresAt: string
  data: Record<string, unknown>
}
