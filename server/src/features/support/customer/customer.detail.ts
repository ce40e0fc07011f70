import { alarmState } from '@aisle/contract/alarm/states'
import type { CustomerCandidate, CustomerHeld } from '@aisle/contract/support/customer'
import type { Language } from '@aisle/contract/kernel/text'
import { type RawBuilder, sql } from 'kysely'
import type { QueryContext, Reader } from '../../../kernel/context'
import { unseal } from '../../../kernel/seal'
import { statesFrom } from '../../../kernel/states'
import { type Detail, inSight, type Row, shown } from './customer.reads'
import { type Judged, judged } from './match.rules'
import { type FoundOrder, ordersNear, orderOf } from './order.store'

type More = {
  work: Detail['work']
  language: Language
  tokenHash: Buffer
  phoneSealed: Buffer | null
  phoneHash: Buffer | null
  picture: string | null
  forgottenAt: string | null
  held: CustomerHeld | null
  evidence: Detail['candidates'][number]['evidence']
  at: Date
}

/** One case with all that a person decides by. */
export async function findCase(ctx: QueryContext, id: number): Promise<Detail | undefined> {
  const rows = inSight(ctx, sql`c.id = ${id}`)
  const found = await sql<Row & More>`select seen.*, c.state as work, c.language, c.token_hash as "tokenHash",
      c.phone as "phoneSealed", c.phone_hash as "phoneHash", c.picture, c.held, c.evidence, c.happened_at as at,
      to_json(c.forgotten_at) #>> '{}' as "forgottenAt"
    from (${rows}) seen join customer_case c on c.id = seen.id`.execute(ctx.db)
  const row = found.rows[0]
  if (!row) return undefined
  const near = judged(claimOf(row), await ordersNear(ctx.db, row, row.at))
  const { work, language, forgottenAt, held, picture, assigneeId, phoneHash } = row
  return {
    ...shown(row),
    work,
    language,
    forgottenAt,
    held,
    assigneeId,
    picture: picture && `/pictures/${picture}`,
    phone: phoneIn(ctx, row),
    words: await wordsOf(ctx.db, id),
    order: await chosen(ctx.db, row, near),
    refunds: await refundsOf(ctx.db, id),
    candidates: near
      .filter(({ orderNo }) => orderNo !== row.orderNo)
      .slice(0, 5)
      .map(asCandidate),
    ofPhone: phoneHash ? await othersOf(ctx, sql`c.phone_hash = ${phoneHash}`, id) : [],
    ofMachine: await othersOf(ctx, sql`c.machine_id = ${row.machineId} and c.created_at > ${monthBefore(ctx)}`, id),
    alarms: await alarmsOf(ctx.db, row.machineId),
  }
}

const claimOf = ({ kind, amountFen, goods, at }: Row & More) => ({ kind, amountFen, goods, atMs: at.getTime() })

const MONTH_MS = 30 * 24 * 3600_000
const monthBefore = (ctx: QueryContext) => new Date(ctx.now().getTime() - MONTH_MS)

function phoneIn({ services }: QueryContext, { phoneSealed, tokenHash }: More): string {
  return phoneSealed ? unseal(services.keys, `customerCase:${tokenHash.toString('hex')}`, phoneSealed) : ''
}

const asCandidate = (order: Judged<FoundOrder>): CustomerCandidate => {
  const { orderId, orderNo, paidAt, method, paidFen, leftFen, goods, sureness, evidence, claimedBy } = order
  return { orderId, orderNo, paidAt, method, paidFen, leftFen, goods: [...goods], sureness, evidence, claimedBy }
}

/** As it was judged when it was chosen; what it is worth now stands beside it. */
async function chosen(
  db: Reader,
  { id, orderNo, machineId, sureness, evidence }: Row & More,
  near: readonly Judged<FoundOrder>[],
): Promise<CustomerCandidate | null> {
  if (orderNo === null) return null
  const order = near.find((each) => each.orderNo === orderNo) ?? (await orderOf(db, { id, machineId }, orderNo))
  return order ? asCandidate({ ...order, sureness: sureness ?? 0, evidence: [...evidence] }) : null
}

async function wordsOf(db: Reader, id: number): Promise<Detail['words']> {
  const found = await sql<Detail['words'][number]>`select w.id, u.display_name as who, w.body,
      to_json(w.at) #>> '{}' as at
    from customer_word w left join app_user u on u.id = w.user_id where w.case_id = ${id}
    order by w.id desc limit 100`.execute(db)
  return found.rows
}

async function refundsOf(db: Reader, id: number): Promise<Detail['refunds']> {
  const found = await sql<Detail['refunds'][number]>`select r.refund_no as "refundNo", r.amount_fen as "amountFen",
      r.state, to_json(coalesce(r.ended_at, r.requested_at)) #>> '{}' as at
    from customer_case c join refund r on r.order_id = c.order_id where c.id = ${id} order by r.id`.execute(db)
  return found.rows
}

async function othersOf(ctx: QueryContext, which: RawBuilder<unknown>, id: number): Promise<Detail['ofPhone']> {
  const found = await sql<Detail['ofPhone'][number]>`select id, kind, state, "amountFen", "machineName", "createdAt"
    from (${inSight(ctx, sql`${which} and c.id <> ${id}`)}) seen order by id desc limit 5`.execute(ctx.db)
  return found.rows
}

async function alarmsOf(db: Reader, machineId: number): Promise<Detail['alarms']> {
  const found = await sql<Detail['alarms'][number]>`select id, cause, to_json(opened_at) #>> '{}' as "openedAt"
    from alarm where machine_id = ${machineId} and state in ${statesFrom(alarmState, 'close')}
    order by id desc limit 5`.execute(db)
  return found.rows
}
