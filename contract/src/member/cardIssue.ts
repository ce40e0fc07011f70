import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { cardTypes, zLogicalNo, zPhysicalNo } from './card'

/** A term's start of a large school. */
export const MOST_ISSUED = 2_000
const MOST_LIMIT_FEN = 10_000_000

export const cardLimits = {
  /** 0 is without a limit (spec §5). */
  dailyCountLimit: z.coerce.number().int().min(0).max(1_000).default(0),
  singleMaxFen: z.int().min(0).max(MOST_LIMIT_FEN).default(0),
  dailyAmountFen: z.int().min(0).max(MOST_LIMIT_FEN).default(0),
}

const beginningLimits = {
  dailyCountLimit: cardLimits.dailyCountLimit.unwrap().nullable().default(null),
  singleMaxFen: cardLimits.singleMaxFen.unwrap().nullable().default(null),
  dailyAmountFen: cardLimits.dailyAmountFen.unwrap().nullable().default(null),
}

export const issueOutcomes = [
  'done',
  'badPhysical',
  'badLogical',
  'twice',
  'alreadyIssued',
  'logicalTaken',
  'memberUnknown',
  'memberStopped',
  'memberMissing',
  'consentMissing',
] as const
export type IssueOutcome = (typeof issueOutcomes)[number]

/** As they were typed or pasted: what is wrong with a line is said of that line, and the others are issued. */
const line = z.strictObject({
  physicalNo: z.string().trim().toLowerCase().max(40),
  logicalNo: z.string().trim().toUpperCase().max(40),
  memberNumber: z.string().trim().toUpperCase().max(40).default(''),
})
export type IssueLine = z.output<typeof line>

export const issueCards = endpoint({
  name: 'member.issueCards',
  method: 'POST',
  path: '/api/member-cards',
  access: 'memberCard.write',
  writes: true,
  input: z.strictObject({
    merchantId: zId,
    type: z.enum(cardTypes),
    /** Null, as with each limit: what cards of the kind begin with (member/benefit). */
    level: z.coerce.number().int().min(1).max(9).nullable().default(null),
    lines: z.array(line).min(1).max(MOST_ISSUED),
    ...beginningLimits,
    /** Handed over in force; else each has a code by which it is activated. */
    isActive: z.boolean().default(false),
  }),
  output: z.object({
    done: z.int(),
    lines: z.array(
      z.object({
        line: z.int(),
        physicalNo: z.string(),
        logicalNo: z.string(),
        outcome: z.enum(issueOutcomes),
        /** Answered once; only what it is found by is kept. */
        code: z.string().nullable(),
      }),
    ),
  }),
  refusals: ['request.notFound'],
  summary: 'Issue cards by their numbers, one or a batch; each line says what became of it',
})

/** Lines of a text: physical number, logical number, and perhaps a member's, with whatever stands between them. */
export const linesIn = (text: string): IssueLine[] =>
  text
    .split(/\r?\n/)
    .map((each) =>
      each
        .trim()
        .split(/[\s,;，；]+/)
        .filter(Boolean),
    )
    .filter((parts) => parts.length > 0)
    .map(([physicalNo = '', logicalNo = '', memberNumber = '']) => ({
      physicalNo: physicalNo.toLowerCase(),
      logicalNo: logicalNo.toUpperCase(),
      memberNumber: memberNumber.toUpperCase(),
    }))

export const textOf = (lines: readonly IssueLine[]): string =>
  lines.map((each) => [each.physicalNo, each.logicalNo, each.memberNumber].filter(Boolean).join(' ')).join('\n')

/** A run of cards as they come in a box: both numbers count on by one, the logical one by its last digits. */
export function rangeOf(first: { physicalNo: string; logicalNo: string }, count: number): IssueLine[] {
  const [, head = '', digits = ''] = /^(.*?)(\d+)$/.exec(first.logicalNo.toUpperCase()) ?? []
  const begin = Number.parseInt(first.physicalNo, 16)
  if (digits === '' || Number.isNaN(begin) || begin + count > 0x1_0000_0000) return []
  return Array.from({ length: count }, (_, n) => ({
    physicalNo: (begin + n).toString(16).padStart(8, '0'),
    logicalNo: head + String(Number(digits) + n).padStart(digits.length, '0'),
    memberNumber: '',
  }))
}

export const isPhysicalNo = (text: string) => zPhysicalNo.safeParse(text).success
export const isLogicalNo = (text: string) => zLogicalNo.safeParse(text).success
