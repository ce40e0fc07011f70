import { stateTable } from '../kernel/states'

/** Whether a webhook is told of what happens. What happens while it is paused waits for it; disabled, nothing does. */
export const webhookState = stateTable({
  initial: 'enabled',
  states: ['enabled', 'paused', 'disabled'],
  moves: {
    pause: { from: ['enabled'], to: 'paused' },
    resume: { from: ['paused'], to: 'enabled' },
    disable: { from: ['enabled', 'paused'], to: 'disabled' },
    enable: { from: ['disabled'], to: 'enabled' },
  },
})
export type WebhookState = (typeof webhookState.states)[number]

/** One event before one webhook. */
export const deliveryState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'delivered', 'dead'],
  moves: {
    deliver: { from: ['waiting'], to: 'delivered' },
    /** Tried as often as it is tried, or its webhook was disabled meanwhile. */
    giveUp: { from: ['waiting'], to: 'dead' },
    /** By a person, under the same id. */
    replay: { from: ['delivered', 'dead'], to: 'waiting' },
  },
})
