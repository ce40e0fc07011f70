import { z } from 'zod'
import { endpoint } from '../kernel/endpoint'

/** What somebody who keeps the system should look at, each with the screen that leads there. */
export const attentionKinds = [
  'systemAlarm',
  'licenceExpired',
  'licenceExpiring',
  'accountReview',
  'messageFailed',
  'untranslated',
  'agreementDraft',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

export const getSystemHome = endpoint({
  name: 'system.getSystemHome',
  method: 'GET',
  path: '/api/system-home',
  access: 'session',
  input: z.strictObject({}),
  /** Only what the person may look at; a count of 0 says that all is well there. */
  output: z.object({ items: z.array(z.object({ kind: z.enum(attentionKinds), count: z.int() })) }),
  summary: 'What needs attention in the system group, of what is in sight and permitted',
})
