import { z } from 'zod'
import { alarmCauseNames } from '../alarm/states'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zLine, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateNames, stateTable } from '../kernel/states'
import { languages } from '../kernel/text'

export const feedbackKinds = ['problem', 'suggestion', 'question', 'other'] as const

/** What is done about it. That it is overdue follows from its promise, and essence is a mark on what is solved. */
export const feedbackWork = stateTable({
  initial: 'unprocessed',
  states: ['unprocessed', 'processing', 'solved', 'deleted'],
  moves: {
    take: { from: ['unprocessed', 'processing'], to: 'processing' },
    solve: { from: ['unprocessed', 'processing'], to: 'solved' },
    reopen: { from: ['solved'], to: 'processing' },
    remove: { from: ['unprocessed', 'processing', 'solved'], to: 'deleted' },
    restore: { from: ['deleted'], to: 'unprocessed' },
  },
  sets: { unsolved: ['unprocessed', 'processing'], kept: ['unprocessed', 'processing', 'solved'], gone: ['deleted'] },
})

/** Specification §4, feedback: as it is shown. */
export const feedbackState = stateNames(['unprocessed', 'processing', 'timeout', 'solved', 'essence', 'deleted'], {
  /** What waits for somebody. */
  unsolved: ['unprocessed', 'processing', 'timeout'],
  answered: ['solved', 'essence'],
})

export const feedbackRefusals = defineRefusals('support', {
  'feedback.tooMany': 429,
  'feedback.state': 409,
  'feedback.blind': 422,
})

/** What was on the page when somebody wrote: support finds the row, and the failure by its number in the log. */
const zSeen = z.strictObject({
  heading: zLine(120).default(''),
  /** The row that was open. */
  open: zId.nullable().default(null),
  opened: zLine(120).default(''),
  failure: zLine(300).default(''),
  language: z.enum(languages).nullable().default(null),
  window: zLine(20).default(''),
})

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
    seen: zSeen.prefault({}),
  }),
  output: z.object({ id: z.int(), state: z.enum(feedbackState.states), dueAt: zInstant }),
  refusals: feedbackRefusals,
  summary: 'Tell what is wrong or wanted; it lands with after-sales support, which says until when it answers',
})

const row = z.object({
  id: z.int(),
  body: z.string(),
  state: z.enum(feedbackState.states),
  kind: z.enum(feedbackKinds),
  page: z.string(),
  userName: z.string(),
  merchantName: z.string(),
  assigneeName: z.string().nullable(),
  /** Until when who asked is to hear of support; null while it waits for them, or is over. */
  dueAt: zInstant.nullable(),
  wordCount: z.int(),
  createdAt: zInstant,
  closedAt: zInstant.nullable(),
})
export type Feedback = z.output<typeof row>

export const feedbackFields = {
  id: { kind: 'count' },
  body: { kind: 'text' },
  state: stateField('feedbackState', feedbackState, {
    unprocessed: 'warn',
    processing: 'busy',
    timeout: 'bad',
    solved: 'good',
    essence: 'good',
    deleted: 'idle',
  }),
  kind: { kind: 'state', words: 'kind', tones: {} },
  page: { kind: 'code' },
  userName: { kind: 'text' },
  merchantName: { kind: 'text' },
  assigneeName: { kind: 'text' },
  dueAt: { kind: 'dateTime' },
  wordCount: { kind: 'count' },
  createdAt: { kind: 'dateTime' },
  closedAt: { kind: 'dateTime' },
  fault: { kind: 'state', words: 'cause', tones: {} },
} satisfies Fields

export const listFeedback = listEndpoint({
  name: 'support.listFeedback',
  path: '/api/feedback',
  access: 'feedback.read',
  summary:
    'What people of merchants in sight say is wrong: by its promise, what waits for them behind, what is over last',
  filters: {
    q: zSearch.optional(),
    /** `toAnswer`: what waits for support; the rest of `unsolved` waits for who asked. */
    state: zAnyOf([...feedbackState.states, 'unsolved', 'toAnswer']).optional(),
    kind: zAnyOf(feedbackKinds).optional(),
    assignee: z.enum(['me', 'nobody']).optional(),
    merchantId: zId.optional(),
  },
  sorts: ['due', 'newest'],
  item: row,
})

export const summariseFeedback = endpoint({
  name: 'support.summariseFeedback',
  method: 'GET',
  path: '/api/feedback/summary',
  access: 'feedback.read',
  input: z.strictObject({}),
  output: z.object({ unprocessed: z.int(), timeout: z.int(), processing: z.int(), mine: z.int() }),
  summary: 'How much feedback waits, is overdue, is under way and is the caller’s',
})

export const wordKinds = ['answer', 'question', 'solution', 'reply', 'reopening'] as const
const word = z.object({
  id: z.int(),
  kind: z.enum(wordKinds),
  who: z.string(),
  body: z.string(),
  at: zInstant,
})
export type FeedbackWord = z.output<typeof word>

export const getFeedback = endpoint({
  name: 'support.getFeedback',
  method: 'GET',
  path: '/api/feedback/{id}',
  access: 'feedback.read',
  input: z.strictObject({ id: zId }),
  output: row.extend({
    work: z.enum(feedbackWork.states),
    contact: z.string(),
    assigneeId: z.int().nullable(),
    /** With the browser, as it names itself. */
    seen: zSeen.extend({ agent: z.string() }),
    words: z.array(word),
    /** The fault of machines that it is about. */
    fault: z.enum(alarmCauseNames).nullable(),
    /** What the same person said before and after. */
    others: z.array(
      z.object({ id: z.int(), body: z.string(), state: z.enum(feedbackState.states), createdAt: zInstant }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One feedback with what was on the page, what was said about it, and what else the person asked',
})

export const listHelpers = listEndpoint({
  name: 'support.listHelpers',
  path: '/api/feedback-helpers',
  access: 'feedback.write',
  summary: 'People of merchants in sight who may answer feedback, and how much each has',
  filters: { q: zSearch.optional() },
  sorts: ['name'],
  item: z.object({
    id: z.int(),
    name: z.string(),
    account: z.string(),
    merchantName: z.string(),
    unsolved: z.int(),
  }),
})

const changed = z.object({ id: z.int(), state: z.enum(feedbackWork.states) })
const write = { method: 'POST', access: 'feedback.write', writes: true, output: changed } as const
const refusals = ['request.notFound', 'feedback.state'] as const
const zWords = z.string().trim().min(2).max(1000)

export const takeFeedback = endpoint({
  ...write,
  name: 'support.takeFeedback',
  path: '/api/feedback/{id}/take',
  input: z.strictObject({ id: zId }),
  refusals,
  summary: 'Take it on oneself',
})
export const assignFeedback = endpoint({
  ...write,
  name: 'support.assignFeedback',
  path: '/api/feedback/{id}/assign',
  input: z.strictObject({ id: zId, assigneeId: zId }),
  refusals: [...refusals, 'feedback.blind'],
  summary: 'Give it to somebody who may answer it',
})
export const answerFeedback = endpoint({
  ...write,
  name: 'support.answerFeedback',
  path: '/api/feedback/{id}/answer',
  input: z.strictObject({ id: zId, body: zWords, isQuestion: z.boolean().default(false) }),
  refusals,
  summary: 'Answer who asked; a question stops the promise until they reply',
})
export const solveFeedback = endpoint({
  ...write,
  name: 'support.solveFeedback',
  path: '/api/feedback/{id}/solve',
  input: z.strictObject({ id: zId, body: zWords }),
  refusals,
  summary: 'Say how it was solved, and close it',
})
export const reopenFeedback = endpoint({
  ...write,
  name: 'support.reopenFeedback',
  path: '/api/feedback/{id}/reopen',
  input: z.strictObject({ id: zId, body: zWords }),
  refusals,
  summary: 'It was not solved after all; the promise runs anew',
})
const marking = (does: 'feature' | 'unfeature', summary: string) =>
  endpoint({
    ...write,
    name: `support.${does}Feedback`,
    path: `/api/feedback/{id}/${does}`,
    input: z.strictObject({ id: zId }),
    refusals,
    summary,
  })
export const featureFeedback = marking('feature', 'Mark what is solved as worth keeping')
export const unfeatureFeedback = marking('unfeature', 'Take the mark away')
export const classifyFeedback = endpoint({
  ...write,
  name: 'support.classifyFeedback',
  path: '/api/feedback/{id}/classify',
  input: z.strictObject({ id: zId, kind: z.enum(feedbackKinds), fault: z.enum(alarmCauseNames).nullable() }),
  refusals: ['request.notFound'],
  summary: 'Say what it is about: its kind, and the fault of machines whose solutions fit',
})
export const removeFeedback = endpoint({
  ...write,
  name: 'support.removeFeedback',
  path: '/api/feedback/{id}/remove',
  input: z.strictObject({ id: zId }),
  refusals,
  summary: 'Nothing for support: it is seen only by who looks for what was deleted',
})
export const restoreFeedback = endpoint({
  ...write,
  name: 'support.restoreFeedback',
  path: '/api/feedback/{id}/restore',
  input: z.strictObject({ id: zId }),
  refusals,
  summary: 'It was something after all; the promise runs anew',
})

export const listOwnFeedback = listEndpoint({
  name: 'support.listOwnFeedback',
  path: '/api/own-feedback',
  access: 'session',
  summary: 'What the caller has told support, newest first',
  filters: {},
  sorts: ['newest'],
  item: row.pick({ id: true, body: true, state: true, page: true, dueAt: true, createdAt: true }).extend({
    words: z.array(word),
  }),
})
export const replyFeedback = endpoint({
  ...write,
  access: 'session',
  name: 'support.replyFeedback',
  path: '/api/own-feedback/{id}/reply',
  input: z.strictObject({ id: zId, body: zWords }),
  refusals,
  summary: 'Reply to support about one’s own feedback; what was solved is open again',
})
