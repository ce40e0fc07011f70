import { z } from 'zod'
import { endpoint, zContactPhone, zDay, zId, zLine, zNeeded } from '../kernel/endpoint'
import { consentGivers, memberState } from './member'

/** Under it a person's data is sensitive, and somebody else agrees for them. */
export const GUARDED_UNTIL_AGE = 14
export const MOST_TAGS = 10

/** A number that the merchant's own books know; left empty, one is made. */
const zNumber = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^([A-Z0-9]{4,20})?$/)
  .default('')

/** Each once, in the order in which they were typed. */
const zTags = z
  .array(zNeeded(20))
  .max(MOST_TAGS)
  .default([])
  .transform((tags) => [...new Set(tags)])

export const memberEditable = {
  name: zNeeded(40),
  phone: zContactPhone.default(''),
  birthday: zDay.nullable().default(null),
  level: z.coerce.number().int().min(1).max(9).default(1),
  unitId: zId.nullable().default(null),
  tags: zTags,
  parentName: zLine(40).default(''),
  region: zLine(60).default(''),
  address: zLine(120).default(''),
}
/** What tells who it is: never in the audit log by value, and gone once the member is erased. */
export const personalFields = ['name', 'phone', 'birthday', 'parentName', 'region', 'address', 'tags'] as const

const write = { method: 'POST', access: 'member.write', writes: true } as const
const changed = z.object({ id: z.int() })
const moved = z.object({ id: z.int(), state: z.enum(memberState.states) })

export const addMember = endpoint({
  ...write,
  name: 'member.addMember',
  path: '/api/members',
  input: z.strictObject({
    merchantId: zId,
    number: zNumber,
    ...memberEditable,
    /** Asked for with the data that it is about. */
    consentedBy: z.enum(consentGivers).nullable().default(null),
  }),
  output: changed,
  refusals: ['request.notFound', 'member.numberTaken', 'member.bornLater', 'member.guardian'],
  summary: 'Make a member of a merchant, tied to it',
})

export const editMember = endpoint({
  ...write,
  name: 'member.editMember',
  path: '/api/members/{id}/edit',
  input: z.strictObject({ id: zId, version: z.int(), ...memberEditable }),
  output: changed,
  refusals: ['request.notFound', 'edit.stale', 'member.bornLater', 'member.state'],
  summary: 'Change what is known of a member',
})

const verb = (name: string, at: string, summary: string) =>
  endpoint({
    ...write,
    name: `member.${name}`,
    path: `/api/members/{id}/${at}`,
    input: z.strictObject({ id: zId }),
    output: moved,
    refusals: ['request.notFound', 'member.state'],
    summary,
  })
export const stopMember = verb('stopMember', 'stop', 'Tie a member to nobody any more and give it no new card')
export const resumeMember = verb('resumeMember', 'resume', 'Take a stopped member up again')

export const recordConsent = endpoint({
  ...write,
  name: 'member.recordConsent',
  path: '/api/members/{id}/consent',
  /** Nobody: it was taken back. */
  input: z.strictObject({ id: zId, consentedBy: z.enum(consentGivers).nullable() }),
  output: changed,
  refusals: ['request.notFound', 'member.state', 'member.guardian'],
  summary: 'Note that a member, or who answers for it, agreed to the keeping of personal data, or took that back',
})

export const eraseMember = endpoint({
  ...write,
  access: 'member.erase',
  name: 'member.eraseMember',
  path: '/api/members/{id}/erase',
  input: z.strictObject({
    id: zId,
    /** Typed by who does it: it can't be undone. */
    number: z.string().trim().toUpperCase(),
  }),
  output: moved,
  refusals: ['request.notFound', 'member.state', 'member.hasCards', 'member.otherNumber'],
  summary: 'Remove all that tells who a member is, for good; what it bought and paid stays in the books',
})
