import { z } from 'zod'
import { endpoint, listEndpoint, zAnyOf, zDay, zId, zInstant, zSearch } from '../kernel/endpoint'
import { type Fields, stateField } from '../kernel/field'
import { defineRefusals } from '../kernel/refusal'
import { stateTable } from '../kernel/states'

/** Who is erased stands in the books by number alone, for good. */
export const memberState = stateTable({
  initial: 'active',
  states: ['active', 'stopped', 'erased'],
  moves: {
    stop: { from: ['active'], to: 'stopped' },
    resume: { from: ['stopped'], to: 'active' },
    erase: { from: ['active', 'stopped'], to: 'erased' },
  },
  sets: { known: ['active', 'stopped'] },
})
const memberStates = memberState.states
export const memberLevels = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
/** At most as many in one go: each is a row of history. */
export const MAX_MEMBERS_AT_ONCE = 1_000

export const memberRefusals = defineRefusals('member', {
  'member.sameMerchant': 422,
  'member.nothingDone': 409,
  'member.numberTaken': 409,
  /** Somebody took a number of the sheet between the look and the word. */
  'member.meanwhile': 409,
  'member.state': 409,
  'member.bornLater': 422,
  'member.guardian': 422,
  'member.hasCards': 409,
  'member.otherNumber': 422,
})

/** All but the first three and last four digits, for those who may not write members. */
export const maskedPhone = (phone: string): string =>
  phone.length < 8 ? phone.replace(/./g, '*') : `${phone.slice(0, 3)}****${phone.slice(-4)}`

/** A person under fourteen is spoken for by a parent or guardian. */
export const consentGivers = ['self', 'guardian'] as const

const member = z.object({
  id: z.int(),
  number: z.string(),
  name: z.string(),
  /** Masked for who lacks `member.write`. */
  phone: z.string(),
  address: z.string(),
  parentName: z.string(),
  region: z.string(),
  state: z.enum(memberStates),
  level: z.int(),
  tags: z.array(z.string()),
  /** Null also for those who lack `member.write`. */
  birthday: zDay.nullable(),
  unitId: z.int().nullable(),
  unitName: z.string(),
  /** Of cards that are not cancelled. */
  cardCount: z.int(),
  merchantId: z.int(),
  registeredAt: zInstant,
  merchants: z.string(),
  merchantCount: z.int(),
})
export type Member = z.output<typeof member>

export const listMembers = listEndpoint({
  name: 'member.listMembers',
  path: '/api/members',
  access: 'member.read',
  summary: 'Members tied to, or registered with, merchants in sight, newest first',
  filters: {
    /** Number or name; a phone only whole. */
    q: zSearch.optional(),
    /** Tied to this merchant now. */
    merchantId: zId.optional(),
    /** Not tied to this merchant now. */
    notOf: zId.optional(),
    tie: z.enum(['tied', 'untied']).optional(),
    state: zAnyOf(memberStates).optional(),
    region: zSearch.optional(),
    level: z.coerce.number().int().min(1).max(9).optional(),
    tag: zSearch.optional(),
    /** Any part of the way down to it, so that a school finds all its classes. */
    unit: zSearch.optional(),
    card: z.enum(['with', 'without']).optional(),
    consent: z.enum(['given', 'missing']).optional(),
  },
  sorts: ['newest', 'number', 'name', 'level'],
  item: member,
})

const figures = ['known', 'withCard', 'withoutCard', 'consentMissing', 'stopped'] as const

export const summariseMembers = endpoint({
  name: 'member.summariseMembers',
  method: 'GET',
  path: '/api/members/summary',
  access: 'member.read',
  input: z.strictObject({}),
  output: z.object(
    Object.fromEntries(figures.map((name) => [name, z.int()])) as Record<(typeof figures)[number], z.ZodInt>,
  ),
  summary: 'How many members there are in sight, with and without a card, and whose consent is missing',
})

export const memberFields = {
  number: { kind: 'code' },
  name: { kind: 'text' },
  phone: { kind: 'phone' },
  address: { kind: 'text' },
  parentName: { kind: 'text' },
  region: { kind: 'region' },
  state: stateField('memberState', memberStates, { active: 'good', stopped: 'idle', erased: 'idle' }),
  level: { kind: 'count' },
  tags: { kind: 'text' },
  birthday: { kind: 'day' },
  unitName: { kind: 'text' },
  cardCount: { kind: 'count' },
  card: { kind: 'state', words: 'memberCards', tones: {} },
  consent: { kind: 'state', words: 'memberConsent', tones: {} },
  consentedBy: { kind: 'state', words: 'consentedBy', tones: {} },
  consentedAt: { kind: 'dateTime' },
  registeredAt: { kind: 'dateTime' },
  merchants: { kind: 'text' },
  tie: stateField('tie', ['tied', 'untied'], { tied: 'good', untied: 'idle' }),
  merchantCount: { kind: 'count' },
} satisfies Fields

export const getMember = endpoint({
  name: 'member.getMember',
  method: 'GET',
  path: '/api/members/{id}',
  access: 'member.read',
  input: z.strictObject({ id: zId }),
  output: member.extend({
    version: z.int(),
    /** Registered with a merchant in sight: only there is it changed. */
    isOwn: z.boolean(),
    consentedBy: z.enum(consentGivers).nullable(),
    consentedAt: zInstant.nullable(),
    erasedAt: zInstant.nullable(),
    balanceFen: z.int(),
    giftFen: z.int(),
    /** What its cards paid in sight, less what came back. */
    spentFen: z.int(),
    spentCount: z.int(),
    registeredWith: z.string().nullable(),
    /** With merchants in sight only, newest first. */
    ties: z.array(
      z.object({
        id: z.int(),
        merchantId: z.int(),
        merchantName: z.string(),
        linkedAt: zInstant,
        linkedBy: z.string().nullable(),
        unlinkedAt: zInstant.nullable(),
        unlinkedBy: z.string().nullable(),
        movedTo: z.string().nullable(),
        reason: z.string(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'One member with the merchants it is and was tied to',
})

const zMembers = z.array(zId).min(1).max(MAX_MEMBERS_AT_ONCE)
const zReason = z.string().trim().max(200).default('')
/** What became of each: done, or why there was nothing to do. */
export const tieOutcomes = ['done', 'alreadyTied', 'notTied', 'notFound', 'stopped'] as const
const outcomes = z.object({
  done: z.int(),
  outcomes: z.array(z.object({ id: z.int(), outcome: z.enum(tieOutcomes) })),
})

export const linkMembers = endpoint({
  name: 'member.linkMembers',
  method: 'POST',
  path: '/api/members/link',
  access: 'member.write',
  writes: true,
  input: z.strictObject({ ids: zMembers, merchantId: zId, reason: zReason }),
  output: outcomes,
  refusals: ['request.notFound', 'member.nothingDone'],
  summary: 'Tie members to a merchant',
})

export const unlinkMembers = endpoint({
  name: 'member.unlinkMembers',
  method: 'POST',
  path: '/api/members/unlink',
  access: 'member.write',
  writes: true,
  input: z.strictObject({ ids: zMembers, merchantId: zId, reason: zReason }),
  output: outcomes,
  refusals: ['request.notFound', 'member.nothingDone'],
  summary: 'Untie members from a merchant; that they were tied is kept',
})

export const moveMembers = endpoint({
  name: 'member.moveMembers',
  method: 'POST',
  path: '/api/members/move',
  access: 'member.write',
  writes: true,
  input: z.strictObject({ ids: zMembers, fromMerchantId: zId, merchantId: zId, reason: zReason }),
  output: outcomes,
  refusals: ['request.notFound', 'member.nothingDone', 'member.sameMerchant'],
  summary: 'Move members from one merchant to another in one step',
})
