import { stateTable } from '../kernel/states'

/** Cloud to machine. A command is delivered at least once and executed once, by its id (docs/DEVICES.md). */
export const commandTypes = ['ship', 'stop_sale', 'resume_sale', 'upload_snapshot', 'restart_app'] as const
export type CommandType = (typeof commandTypes)[number]

export const commandState = stateTable({
  initial: 'queued',
  states: ['queued', 'sent', 'received', 'done', 'failed', 'refused', 'expired', 'cancelled'],
  moves: {
    send: { from: ['queued'], to: 'sent' },
    receive: { from: ['sent'], to: 'received' },
    finish: { from: ['sent', 'received'], to: 'done' },
    fail: { from: ['sent', 'received'], to: 'failed' },
    refuse: { from: ['sent', 'received'], to: 'refused' },
    expire: { from: ['queued', 'sent'], to: 'expired' },
    cancel: { from: ['queued'], to: 'cancelled' },
  },
})
export type CommandState = (typeof commandState.states)[number]

/** How long a command waits for its machine before it expires. `ship` must not turn a motor minutes later. */
export const commandTtlMs: Record<CommandType, number> = {
  ship: 60_000,
  stop_sale: 7 * 24 * 3600_000,
  resume_sale: 7 * 24 * 3600_000,
  upload_snapshot: 3600_000,
  restart_app: 600_000,
}

/** On down/cmd. `data` of `ship` is `{ orderNo, items: [{ index, slot }] }`, with the machine's own order number. */
export type Command = {
  cmdId: string
  type: CommandType
  expiresAt: string
  data: Record<string, unknown>
}
