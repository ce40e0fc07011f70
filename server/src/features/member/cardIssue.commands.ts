import { cardState, cardTypeRules } from '@aisle/contract/member/card'
import {
  type IssueLine,
  type IssueOutcome,
  isLogicalNo,
  isPhysicalNo,
  type issueCards,
} from '@aisle/contract/member/cardIssue'
import { memberState } from '@aisle/contract/member/member'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CommandContext } from '../../kernel/context'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { stateTo } from '../../kernel/states'
import { type Beginning, beginningOf } from './benefit'
import { activationDigest, drawActivation } from './activation'
import { insertLog } from './cardLog.store'
import { lacksConsent } from './member.rules'

type Asked = InputOf<typeof issueCards>
type Filled = Omit<Asked, keyof Beginning> & Beginning
type Issued = OutputOf<typeof issueCards>['lines'][number]
type Known = { line: number; physical: boolean; logical: boolean } & Holder
type Holder = {
  memberId: number | null
  state: 'active' | 'stopped' | 'erased' | null
  birthday: string | null
  consentedBy: 'self' | 'guardian' | null
}

type Report = OutputOf<typeof issueCards>

export const issue = async (ctx: CommandContext, asked: Asked): Promise<Report> => (await issueKnown(ctx, asked)).report

/**
 * Those that can be issued are; each of the others is told why not. Two desks that issue one number issue one card.
 * @returns the ids of the cards by physical number beside
 */
export async function issueKnown(
  ctx: CommandContext,
  asked: Asked,
): Promise<{ report: Report; made: ReadonlyMap<string, number> }> {
  const { merchantId, lines } = asked
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  const known = await findKnown(ctx, merchantId, lines)
  const outcomes = judged(ctx, asked, known)
  const good = [...outcomes].filter(([, outcome]) => outcome === 'done').map(([n]) => n)
  const codes = new Map(good.map((n) => [n, asked.isActive ? null : drawActivation()]))
  const filled = { ...asked, ...(await beginningFor(ctx, asked)) }
  const made = await insert(ctx, filled, known, codes)
  await insertLog(
    ctx.tx,
    [...made.values()].map((cardId) => ({
      cardId,
      merchantId,
      action: 'issued' as const,
      at: ctx.now(),
      userId: ctx.actor.userId,
    })),
  )
  await ctx.audit({
    merchantId,
    objectKind: 'memberCard',
    objectId: String(made.size === 1 ? [...made.values()][0] : made.size),
    before: null,
    after: { type: asked.type, level: filled.level, issued: made.size, asked: lines.length },
  })
  const answered = lines.map(({ physicalNo, logicalNo }, n): Issued => {
    const outcome = outcomes.get(n) === 'done' && !made.has(physicalNo) ? 'alreadyIssued' : outcomes.get(n)
    const code = outcome === 'done' ? (codes.get(n) ?? null) : null
    return { line: n + 1, physicalNo, logicalNo, outcome: outcome ?? 'alreadyIssued', code }
  })
  return { report: { done: made.size, lines: answered }, made }
}

/** What was said when they were issued, and what cards of the kind begin with for the rest. */
async function beginningFor(ctx: CommandContext, asked: Asked): Promise<Beginning> {
  const usual = await beginningOf(ctx.tx, asked.merchantId, asked.type)
  return {
    level: asked.level ?? usual.level,
    dailyCountLimit: asked.dailyCountLimit ?? usual.dailyCountLimit,
    singleMaxFen: asked.singleMaxFen ?? usual.singleMaxFen,
    dailyAmountFen: asked.dailyAmountFen ?? usual.dailyAmountFen,
  }
}

function judged(ctx: CommandContext, asked: Asked, known: ReadonlyMap<number, Known>): Map<number, IssueOutcome> {
  const today = businessTime(ctx.now(), PLATFORM_TIME_ZONE).day
  const seen = new Set<string>()
  const judge = ({ physicalNo, logicalNo, memberNumber }: IssueLine, n: number): IssueOutcome => {
    const { physical, logical, ...holder } = known.get(n) ?? { physical: false, logical: false, ...nobody }
    if (!isPhysicalNo(physicalNo)) return 'badPhysical'
    if (!isLogicalNo(logicalNo)) return 'badLogical'
    if (seen.has(`p ${physicalNo}`) || seen.has(`l ${logicalNo}`)) return 'twice'
    if (physical) return 'alreadyIssued'
    if (logical) return 'logicalTaken'
    if (memberNumber !== '' && holder.memberId === null) return 'memberUnknown'
    if (holder.state !== null && !memberState.is(holder.state, 'active')) return 'memberStopped'
    if (asked.isActive && holder.memberId === null && cardTypeRules[asked.type].isNamed) return 'memberMissing'
    return holder.memberId !== null && lacksConsent(holder, today) ? 'consentMissing' : 'done'
  }
  return new Map(
    asked.lines.map((line, n) => {
      const outcome = judge(line, n)
      seen.add(`p ${line.physicalNo}`).add(`l ${line.logicalNo}`)
      return [n, outcome]
    }),
  )
}

const nobody: Holder = { memberId: null, state: null, birthday: null, consentedBy: null }

async function findKnown(
  ctx: CommandContext,
  merchantId: number,
  lines: readonly IssueLine[],
): Promise<Map<number, Known>> {
  const asked = lines.map((line, n) => ({ ...line, line: n }))
  const found = await sql<Known>`
    select l.line, exists (select from member_card c where c.merchant_id = ${merchantId}
        and c.physical_no = l.physical_no) as physical,
      exists (select from member_card c where c.merchant_id = ${merchantId} and c.logical_no = l.logical_no) as logical,
      m.id as "memberId", m.state, m.birthday, m.consented_by as "consentedBy"
    from ${rows('l', asked, { line: 'int', physicalNo: 'text', logicalNo: 'text', memberNumber: 'text' })}
    left join member m on m.number = l.member_number and m.merchant_id = ${merchantId}`.execute(ctx.tx)
  return new Map(found.rows.map((each) => [each.line, each]))
}

/** @returns the ids of those that were made, by physical number */
async function insert(
  ctx: CommandContext,
  asked: Filled,
  known: ReadonlyMap<number, Known>,
  codes: ReadonlyMap<number, string | null>,
): Promise<Map<string, number>> {
  const { merchantId, type, level, dailyCountLimit, singleMaxFen, dailyAmountFen, isActive } = asked
  if (codes.size === 0) return new Map()
  const made = asked.lines.flatMap(({ physicalNo, logicalNo }, n) => {
    const code = codes.get(n)
    if (code === undefined) return []
    const digest = code === null ? null : activationDigest(ctx.services.keys, physicalNo, code).toString('hex')
    return [{ physicalNo, logicalNo, memberId: known.get(n)?.memberId ?? null, digest }]
  })
  const found = await sql<{ id: number; physicalNo: string }>`
    insert into member_card (merchant_id, physical_no, logical_no, member_id, type, level, state, daily_count_limit,
      single_max_fen, daily_amount_fen, activation_digest, created_at, activated_at)
    select ${merchantId}, l.physical_no, l.logical_no, l.member_id, ${type}, ${level}::smallint,
      ${isActive ? stateTo(cardState, 'activate') : sql.lit(cardState.initial)},
      ${dailyCountLimit}::int, ${singleMaxFen}::bigint, ${dailyAmountFen}::bigint, decode(l.digest, 'hex'),
      ${ctx.now()}::timestamptz,
      ${isActive ? ctx.now() : null}::timestamptz
    from ${rows('l', made, { physicalNo: 'text', logicalNo: 'text', memberId: 'bigint', digest: 'text' })}
    on conflict do nothing returning id, physical_no as "physicalNo"`.execute(ctx.tx)
  return new Map(found.rows.map(({ id, physicalNo }) => [physicalNo, id]))
}
