import { z } from 'zod'
import { endpoint } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

export const feedbackKinds = ['problem', 'suggestion', 'question', 'other'] as const

/** Specification §4, feedback. */
export const feedbackState = stateTable({
  initial: 'unprocessed',
  states: ['unprocessed', 'processing', 'timeout', 'solved', 'essence', 'deleted'],
  moves: {
    take: { from: ['unprocessed', 'timeout'], to: 'processing' },
    expire: { from: ['unprocessed', 'processing'], to: 'timeout' },
    solve: { from: ['processing', 'timeout'], to: 'solved' },
    feature: { from: ['solved'], to: 'essence' },
    remove: { from: ['unprocessed', 'processing', 'timeout', 'solved', 'essence'], to: 'deleted' },
  },
  sets: { unsolved: ['unprocessed', 'processing', 'timeout'] },
})

export const feedbackRefusals = defineRefusals('support', { 'feedback.tooMany': 429 })

export const addFeedback = endpoint({
  name: 'support.addFeedback',
  method: 'POST',
  path: '/api/feedback',
  access: 'session',
  writes: true,
  input: z.strictObject({
    kind: z.enum(feedbackKinds),
    body: z.string().trim().min(5).max(200),
    contact: z.string().trim().max(100).default(''),
    /** The path in the product where it was written. */
    page: z
      .string()
      .max(300)
      .regex(/^\/[^\s?#]*$/)
      .default('/'),
  }),
  output: z.object({ id: z.int(), state: z.enum(feedbackState.states) }),
  refusals: feedbackRefusals,
  summary: 'Tell what is wrong or wanted; it lands with after-sales support',
})
