import { z } from 'zod'
import { endpoint, zId, zInstant } from '../kernel/endpoint'
import { urgencies } from './messageType'
import { zQuiet } from './pushSetting'

const message = z.object({
  id: z.int(),
  type: z.string(),
  typeLabel: z.string(),
  title: z.string(),
  body: z.string(),
  at: zInstant,
  readAt: zInstant.nullable(),
})
export type BellMessage = z.output<typeof message>

/** Counted up to here; the bell shows "99+" beyond. */
export const MOST_UNREAD = 99

export const getBell = endpoint({
  name: 'notice.getBell',
  method: 'GET',
  path: '/api/bell',
  access: 'session',
  input: z.strictObject({ before: zId.optional() }),
  output: z.object({ unread: z.int(), items: z.array(message), nextBefore: z.int().nullable() }),
  summary: 'The caller’s own messages, newest first, twenty at a time, and how many are unread',
})

export const readMessages = endpoint({
  name: 'notice.readMessages',
  method: 'POST',
  path: '/api/bell/read',
  access: 'session',
  /** A person's own bell: nothing that others rely on, so no audit row. */
  input: z.strictObject({ ids: z.array(zId).min(1).max(50) }),
  output: z.object({ unread: z.int() }),
  summary: 'Own messages have been read',
})

export const readAllMessages = endpoint({
  name: 'notice.readAllMessages',
  method: 'POST',
  path: '/api/bell/read-all',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({ unread: z.int() }),
  summary: 'All own messages have been read',
})

/** What waits for a decision of the caller; one row a kind, only those that the caller may decide. */
export const reviewKinds = [
  'refund',
  'problem',
  'unclaimed',
  'difference',
  'settlementDispute',
  'split',
  'bankAccount',
  'withdrawal',
  'bankLine',
  'prizeClaim',
  'prescription',
  'expired',
  'care',
  'writeOff',
  'supplierReturn',
  'stockCount',
  'machineCount',
  'visitStep',
  'cashDifference',
  'cardApplication',
  'libraryAddition',
  'feedback',
  'customerCase',
] as const
export const getPendingReviews = endpoint({
  name: 'notice.getPendingReviews',
  method: 'GET',
  path: '/api/pending-reviews',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({
    total: z.int(),
    items: z.array(
      z.object({
        kind: z.enum(reviewKinds),
        count: z.int(),
        screen: z.string(),
        /** The filter of that screen under which just these stand. */
        query: z.record(z.string(), z.string()),
      }),
    ),
  }),
  summary: 'How many reviews wait for the caller, and where',
})

export const getOwnPush = endpoint({
  name: 'notice.getOwnPush',
  method: 'GET',
  path: '/api/own-push',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({
    types: z.array(z.object({ id: z.int(), name: z.string(), urgency: z.enum(urgencies), isMuted: z.boolean() })),
    quiet: z.object({ from: z.string(), to: z.string() }).nullable(),
    /** The merchant's, which hold where the person has none. */
    merchantQuiet: z.object({ from: z.string(), to: z.string() }).nullable(),
  }),
  summary: 'What the caller does not want by SMS, e-mail or app, and their quiet hours',
})

export const saveOwnPush = endpoint({
  name: 'notice.saveOwnPush',
  method: 'POST',
  path: '/api/own-push',
  access: 'session',
  writes: true,
  input: z.strictObject({ mutedTypeIds: z.array(zId).max(100), quiet: zQuiet.nullable() }),
  output: z.object({ muted: z.int() }),
  summary: 'Mute what can wait, and keep quiet hours of one’s own',
})
