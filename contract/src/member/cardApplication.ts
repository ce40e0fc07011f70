import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zId, zInstant, zLine, zNeeded, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'
import { cardTypes, zLogicalNo, zPhysicalNo } from './card'

/** Of a card for a member, or of one in the place of another: who decides is not who asked. */
export const applicationState = stateTable({
  initial: 'submitted',
  states: ['submitted', 'approved', 'refused', 'withdrawn', 'issued'],
  moves: {
    approve: { from: ['submitted'], to: 'approved' },
    refuse: { from: ['submitted', 'approved'], to: 'refused' },
    withdraw: { from: ['submitted', 'approved'], to: 'withdrawn' },
    issue: { from: ['approved'], to: 'issued' },
  },
  sets: { open: ['submitted', 'approved'] },
})
export const applicationKinds = ['new', 'replacement'] as const

export const applicationRefusals = defineRefusals('member', {
  'application.state': 409,
  'application.own': 403,
  'application.open': 409,
})

const application = z.object({
  id: z.int(),
  merchantId: z.int(),
  merchantName: z.string(),
  memberId: z.int(),
  memberName: z.string(),
  memberNumber: z.string(),
  kind: z.enum(applicationKinds),
  type: z.enum(cardTypes),
  level: z.int(),
  /** Logical number of the card in whose place the new one stands. */
  replaces: z.string().nullable(),
  note: z.string(),
  state: z.enum(applicationState.states),
  createdBy: z.string(),
  createdAt: zInstant,
  /** Whether who asks for the list made it, and so may not decide. */
  isOwn: z.boolean(),
  decidedBy: z.string().nullable(),
  decidedAt: zInstant.nullable(),
  reason: z.string(),
  /** Logical number of the card that was handed out. */
  logicalNo: z.string().nullable(),
  issuedBy: z.string().nullable(),
  issuedAt: zInstant.nullable(),
})
export type CardApplication = z.output<typeof application>

export const listApplications = listEndpoint({
  name: 'member.listApplications',
  path: '/api/card-applications',
  access: 'cardApplication.read',
  summary: 'Applications for cards in sight, newest first',
  filters: {
    /** Number, name or telephone number of the member, or a card’s logical number. */
    q: zSearch.optional(),
    state: zAnyOf(applicationState.states).optional(),
    kind: z.enum(applicationKinds).optional(),
    type: zAnyOf(cardTypes).optional(),
    merchantId: zId.optional(),
    memberId: zId.optional(),
  },
  sorts: ['newest', 'oldest'],
  item: application,
})

export const getApplication = endpoint({
  name: 'member.getApplication',
  method: 'GET',
  path: '/api/card-applications/{id}',
  access: 'cardApplication.read',
  input: z.strictObject({ id: zId }),
  output: application,
  refusals: ['request.notFound'],
  summary: 'One application for a card, with who decided and what was handed out',
})

const shownCard = { kind: 'ref', to: 'hygl/wdhyk', by: 'q' } as const

export const applicationFields = {
  memberNumber: { kind: 'code' },
  memberName: { kind: 'text', to: 'hygl/wdhy', search: { open: 'memberId' } },
  merchantName: { kind: 'text' },
  kind: { kind: 'state', words: 'applicationKind', tones: {} },
  type: { kind: 'state', words: 'cardType', tones: {} },
  level: { kind: 'count' },
  replaces: shownCard,
  note: { kind: 'longText' },
  state: stateField('applicationState', applicationState, {
    submitted: 'warn',
    approved: 'busy',
    refused: 'bad',
    withdrawn: 'idle',
    issued: 'good',
  }),
  createdBy: { kind: 'text' },
  createdAt: { kind: 'dateTime' },
  decidedBy: { kind: 'text' },
  decidedAt: { kind: 'dateTime' },
  reason: { kind: 'longText' },
  logicalNo: shownCard,
  physicalNo: { kind: 'code' },
  issuedBy: { kind: 'text' },
  issuedAt: { kind: 'dateTime' },
  isLost: { kind: 'boolean' },
  isActive: { kind: 'boolean' },
} satisfies Fields

const path = '/api/card-applications'
const write = { method: 'POST', access: 'cardApplication.write', writes: true } as const
const changed = z.object({ id: z.int(), state: z.enum(applicationState.states) })
const note = zLine(200).default('')

export const applyForCard = endpoint({
  ...write,
  name: 'member.applyForCard',
  path,
  input: z.strictObject({
    memberId: zId,
    type: z.enum(cardTypes),
    level: z.coerce.number().int().min(1).max(9).default(1),
    note,
  }),
  output: changed,
  refusals: ['request.notFound', 'card.memberStopped', 'card.consent', 'application.open'],
  summary: 'Ask for a card for a member',
})

export const applyForReplacement = endpoint({
  ...write,
  name: 'member.applyForReplacement',
  path: `${path}/replacements`,
  input: z.strictObject({
    cardId: zId,
    /** The old one pays for nothing from now on. */
    isLost: z.boolean().default(true),
    note,
  }),
  output: changed,
  refusals: ['request.notFound', 'card.state', 'card.nameless', 'application.open'],
  summary: 'Ask for a card in the place of a lost or broken one, which is reported lost at once if so',
})

const decide = { ...write, access: 'cardApplication.review' } as const
const refusals = ['request.notFound', 'application.state'] as const

export const approveApplication = endpoint({
  ...decide,
  name: 'member.approveApplication',
  path: `${path}/{id}/approve`,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals: [...refusals, 'application.own', 'card.memberStopped', 'card.consent'],
  summary: 'Agree that the card is handed out',
})

export const refuseApplication = endpoint({
  ...decide,
  name: 'member.refuseApplication',
  path: `${path}/{id}/refuse`,
  input: z.strictObject({ id: zId, reason: zNeeded(200) }),
  output: changed,
  refusals: [...refusals, 'application.own'],
  summary: 'Refuse it, and say why',
})

export const withdrawApplication = endpoint({
  ...write,
  name: 'member.withdrawApplication',
  path: `${path}/{id}/withdraw`,
  input: z.strictObject({ id: zId }),
  output: changed,
  refusals,
  summary: 'It is not wanted any more',
})

export const issueApplied = endpoint({
  ...write,
  access: 'memberCard.write',
  name: 'member.issueApplied',
  path: `${path}/{id}/issue`,
  input: z.strictObject({
    id: zId,
    physicalNo: zPhysicalNo,
    logicalNo: zLogicalNo,
    /** Handed over in force; else a code activates it. One in the place of another is in force at once. */
    isActive: z.boolean().default(true),
  }),
  output: changed.extend({
    cardId: z.int(),
    /** Answered once; only what it is found by is kept. */
    code: z.string().nullable(),
  }),
  refusals: [...refusals, 'card.issued', 'card.memberStopped', 'card.consent', 'card.state', 'card.sameNumber'],
  summary: 'Hand out the card of an approved application by its numbers; what is on an old one moves to it',
})
