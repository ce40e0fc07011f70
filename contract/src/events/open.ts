import { z } from 'zod'
import { zAnyOf } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { eventKindNames } from './kinds'

/** What any signed call may be refused, and reading the log (docs/PARTNERS.md). */
export const openRefusals = defineRefusals('events', {
  'signature.missing': 401,
  'signature.wrong': 401,
  'signature.old': 401,
  'signature.replayed': 401,
  'interface.disabled': 403,
  'interface.expired': 403,
  'interface.spent': 403,
  'interface.pushOnly': 403,
  'interface.otherClass': 403,
  'events.gone': 410,
})

/** How far a caller's clock may be off. */
export const SIGNATURE_LASTS_MS = 5 * 60_000
/** Calls an interface may make in a minute. */
export const CALLS_A_MINUTE = 120

export const signatureHeaders = {
  key: 'x-aisle-key',
  timestamp: 'x-aisle-timestamp',
  nonce: 'x-aisle-nonce',
  signature: 'x-aisle-signature',
} as const

/** `after`: the number of the last event that was read; left out: from the oldest that is kept. */
export const eventsQuery = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** Of these kinds, joined by commas; all where it is left out. */
  types: zAnyOf(eventKindNames).optional(),
})
