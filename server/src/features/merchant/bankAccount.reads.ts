import {
  type BankAccount,
  comparedFields,
  type getBankAccount,
  type listBankAccounts,
  maskedNumber,
} from '@aisle/contract/merchant/bankAccount'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { AuthKeys, Reader } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Page } from '../../kernel/list'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { unsealNumbers } from './bankAccount.numbers'

type Filter = InputOf<typeof listBankAccounts>

const seen = (sight: Sight): RawBuilder<unknown> => sql`
  select b.id, b.merchant_id as "merchantId", m.name as "merchantName", m.code as "merchantCode", b.state, b.holder,
    b.bank, b.account_tail as "accountNumber", b.short_name as "shortName", asked.display_name as "requestedBy",
    to_json(b.requested_at) #>> '{}' as "requestedAt", reviewed.display_name as "reviewedBy",
    to_json(b.reviewed_at) #>> '{}' as "reviewedAt", b.reason,
    extract(epoch from coalesce(b.requested_at, b.created_at))::bigint as waits_since
  from bank_account b join merchant m on m.id = b.merchant_id
  left join app_user asked on asked.id = b.requested_by left join app_user reviewed on reviewed.id = b.reviewed_by
  where ${merchantInSight(sight, sql`b.merchant_id`)}`

/** What waits for review first, the longest waiting on top; then drafts, what is in force, and what is over. */
const waiting = sql`array_position(array['pending', 'draft', 'approved', 'rejected', 'withdrawn', 'replaced'], state)
  * 100000000000::bigint + case when state = 'pending' then waits_since else 50000000000 - waits_since end`

const orders: Record<Filter['sort'], Order> = {
  waiting: { by: waiting, type: 'bigint' },
  newest: { by: sql`id`, type: 'bigint', newestFirst: true },
}

export async function page(db: Reader, sight: Sight, filter: Filter): Promise<Page<BankAccount>> {
  const { bankAccount: q, merchantId, state, sort } = filter
  const where = allOf([
    q && sql`(${holds(sql`"merchantName"`, q)} or ${holds(sql`holder`, q)} or ${holds(sql`"shortName"`, q)})`,
    merchantId && sql`"merchantId" = ${merchantId}`,
    state && sql`state = ${state}`,
  ])
  const found = await listRows<BankAccount>(db, { rows: seen(sight), where, order: orders[sort] }, filter)
  const masked = found.items.map((row) => ({ ...row, accountNumber: maskedNumber(row.accountNumber) }))
  return { ...found, items: masked }
}

type Detail = OutputOf<typeof getBankAccount>
type Wording = Omit<Detail, 'changes' | 'isOwn'> & { authorIds: number[]; sealed: Buffer | null }

export async function findDetail(
  db: Reader,
  sight: Sight,
  id: number,
  reader: { userId: number; keys: AuthKeys },
): Promise<Detail | undefined> {
  const found = await findWording(db, sight, id)
  if (!found) return undefined
  const changes = changesOf(reader.keys, await wordingBefore(db, sight, found), found)
  const { authorIds, sealed: _, ...wording } = found
  return { ...wording, isOwn: authorIds.includes(reader.userId), changes }
}

async function findWording(db: Reader, sight: Sight, id: number): Promise<Wording | undefined> {
  const found = await sql<Wording>`
    select seen.*, b.version, b.holder_kind as "holderKind", b.document_kind as "documentKind",
      b.document_tail as "documentNumber", b.bank_city as "bankCity", b.branch, b.bank_full_name as "bankFullName",
      b.store_name as "storeName", b.business_type as "businessType", b.province, b.city, b.street, b.contact,
      b.contact_phone as "contactPhone", b.pictures, to_json(b.created_at) #>> '{}' as "createdAt",
      to_json(b.ended_at) #>> '{}' as "endedAt", b.authors as "authorIds", b.sealed,
      array(select display_name from app_user where id = any(b.authors) order by id) as authors
    from (${seen(sight)}) seen join bank_account b on b.id = seen.id where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const { accountNumber, documentNumber, authorIds } = row
  return {
    ...row,
    accountNumber: maskedNumber(accountNumber),
    documentNumber: maskedNumber(documentNumber),
    authorIds: authorIds.map(Number),
  }
}

/** What was in force when this one was reviewed; what is in force, for one that was not. */
async function wordingBefore(db: Reader, sight: Sight, wording: Wording): Promise<Wording | undefined> {
  const { id, merchantId, reviewedAt } = wording
  const at = reviewedAt ? sql`reviewed_at < ${reviewedAt}::timestamptz` : sql`state = 'approved'`
  const found = await sql<{ id: number }>`select id from bank_account
    where merchant_id = ${merchantId} and id <> ${id} and state in ('approved', 'replaced') and ${at}
    order by reviewed_at desc limit 1`.execute(db)
  const earlier = found.rows[0]?.id
  return earlier === undefined ? undefined : findWording(db, sight, earlier)
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
