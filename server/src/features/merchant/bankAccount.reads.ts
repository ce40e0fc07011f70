import {
  bankAccount,
  bankAccountState,
  comparedFields,
  type getBankAccount,
  maskedNumber,
} from '@aisle/contract/merchant/bankAccount'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { AuthKeys, QueryContext } from '../../kernel/context'
import { kept } from '../../kernel/kept'
import { existing } from '../../kernel/refuse'
import { unsealNumbers } from './bankAccount.numbers'
import { statesIn } from '../../kernel/states'

const instant = (at: RawBuilder<unknown>) => sql`to_json(${at}) #>> '{}'`
const maskedTail = (tail: RawBuilder<unknown>) => sql`${maskedNumber('')} || ${tail}`

const since = sql`extract(epoch from coalesce("requestedAt", "createdAt")::timestamptz)::bigint`
/** What waits for review first, the longest waiting on top; then drafts, what is in force, and what is over. */
const waiting = sql`array_position(array['pending', 'draft', 'approved', 'rejected', 'withdrawn', 'replaced'], state)
  * 100000000000::bigint + case when state = 'pending' then ${since} else 50000000000 - ${since} end`

export const accounts = kept(bankAccount, {
  table: 'bankAccount',
  joins: () => sql`left join app_user asked on asked.id = bank_account.requested_by
    left join app_user reviewed on reviewed.id = bank_account.reviewed_by`,
  facts: () => ({
    merchantCode: sql`owner.code`,
    accountNumber: maskedTail(sql`bank_account.account_tail`),
    requestedBy: sql`asked.display_name`,
    requestedAt: instant(sql`bank_account.requested_at`),
    reviewedBy: sql`reviewed.display_name`,
    reviewedAt: instant(sql`bank_account.reviewed_at`),
    reason: sql`bank_account.reason`,
    createdAt: instant(sql`bank_account.created_at`),
  }),
  search: ['merchantName', 'holder', 'shortName'],
  orders: { waiting: { by: waiting, type: 'bigint' } },
})

type Detail = OutputOf<typeof getBankAccount>
type Wording = Omit<Detail, 'changes' | 'isOwn'> & { authorIds: number[]; sealed: Buffer | null }

export async function findBankAccountDetail(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await findWording(ctx, id)
  const changes = changesOf(ctx.services.keys, await wordingBefore(ctx, found), found)
  const { authorIds, sealed: _, ...wording } = found
  return { ...wording, isOwn: authorIds.includes(ctx.actor.userId), changes }
}

type Beside = Pick<Wording, 'documentNumber' | 'endedAt' | 'authors' | 'authorIds' | 'sealed'>

async function findWording(ctx: QueryContext, id: number): Promise<Wording> {
  const account = await accounts.get(ctx, { id })
  const found = await sql<Beside>`
    select ${maskedTail(sql`document_tail`)} as "documentNumber",
      ${instant(sql`ended_at`)} as "endedAt", authors as "authorIds", sealed,
      array(select display_name from app_user where id = any(b.authors) order by id) as authors
    from bank_account b where id = ${id}`.execute(ctx.db)
  const beside = existing(found.rows[0])
  return { ...account, ...beside, authorIds: beside.authorIds.map(Number) }
}

/** What was in force when this one was reviewed; what is in force, for one that was not. */
async function wordingBefore(ctx: QueryContext, wording: Wording): Promise<Wording | undefined> {
  const { id, merchantId, reviewedAt } = wording
  const at = reviewedAt ? sql`reviewed_at < ${reviewedAt}::timestamptz` : sql`state = 'approved'`
  const found = await sql<{ id: number }>`select id from bank_account
    where merchant_id = ${merchantId} and id <> ${id} and state in ${statesIn(bankAccountState, 'used')} and ${at}
    order by reviewed_at desc limit 1`.execute(ctx.db)
  const earlier = found.rows[0]?.id
  return earlier === undefined ? undefined : findWording(ctx, earlier)
}

/** Numbers are compared whole: another account may end in the same four digits. */
function changesOf(keys: AuthKeys, before: Wording | undefined, after: Wording): Detail['changes'] {
  const [was, is] = [before && unsealNumbers(keys, before), unsealNumbers(keys, after)]
  const isChanged = (field: (typeof comparedFields)[number]): boolean =>
    field === 'accountNumber' || field === 'documentNumber'
      ? was?.[field] !== is[field]
      : before?.[field] !== after[field]
  return comparedFields
    .filter(isChanged)
    .map((field) => ({ field, before: before?.[field] ?? null, after: after[field] }))
}
