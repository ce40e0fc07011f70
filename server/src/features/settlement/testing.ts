import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { only } from '../../kernel/must'
import { addMachine, addMerchant, addOrder, addProduct, type BuiltMachine } from '../../testing/builders'
import { openWorld, type World } from '../../testing/world'
import { postTransfers, refundPostings, salePostings } from '../ledger/public'
import type { Run } from './run.store'
import { findRuns, openRuns } from './run.store'
import { keepFile, type StatementLine } from './statement.store'

export const DAY = '2026-11-20'
/** An instant of the day's calendar in China. */
export const at = (time: string, day = DAY) => new Date(`${day}T${time}:00+08:00`)

export type Books = {
  world: World
  platformId: number
  merchantId: number
  machine: BuiltMachine
  accountId: number
  db: Reader
}

/** A platform that collects for a merchant through one WeChat number, the day after. */
export async function openBooks(now = at('11:00', '2026-11-21'), fundsMode = 'custody'): Promise<Books> {
  const world = await openWorld(now)
  const { db } = world.services
  const platformId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: platformId })
  const product = await addProduct(db, { merchantId })
  const machine = await addMachine(db, { merchantId, products: [product] })
  const accountId = await addAccount(db, platformId, 'wechat', fundsMode)
  return { world, platformId, merchantId, machine, accountId, db }
}

export const inTx = <T>({ world }: Books, work: (tx: Tx) => Promise<T>): Promise<T> =>
  world.services.db.transaction().execute(work)

export async function addAccount(
  db: Reader,
  merchantId: number,
  provider = 'wechat',
  fundsMode = 'custody',
): Promise<number> {
  const made = await sql<{ id: number }>`with provider as (
      insert into provider_account (merchant_id, provider, name, token, provider_no)
      values (${merchantId}, ${provider}, ${`${provider} ${merchantId}`}, ${`token-of-${provider}-${merchantId}-000`},
        ${`16${merchantId}`}) returning id)
    insert into payment_account (merchant_id, provider, provider_account_id, funds_mode, state, activated_at)
    select ${merchantId}, ${provider}, id, ${fundsMode}, 'activated', ${at('00:00')} from provider
    returning id`.execute(db)
  return only(made).id
}

/** The account is stopped, and its copy collects from then on. */
export async function replaceAccount({ db, accountId }: Books, from: Date, fundsMode: string): Promise<void> {
  await sql`update payment_account set state = 'stopped', stopped_at = ${from} where id = ${accountId}`.execute(db)
  await sql`insert into payment_account (merchant_id, provider, provider_account_id, funds_mode, state, activated_at)
    select merchant_id, provider, provider_account_id, ${fundsMode}, 'activated', ${from} from payment_account
    where id = ${accountId}`.execute(db)
}

let made = 0
export type Sold = { orderId: number; attemptId: number; attemptNo: string; channelNo: string; paidFen: number }

/** An order that a customer paid through the channel, as the flow of trade leaves it. */
export async function sell(books: Books, paidAt = at('12:00'), paidFen = 1000): Promise<Sold> {
  const { db, world, machine, accountId, merchantId } = books
  made += 1
  const { id: orderId, orderNo } = await addOrder(db, machine, paidAt, paidFen)
  await sql`update orders set method = 'wechat' where id = ${orderId}`.execute(db)
  const [attemptNo, channelNo] = [`ATTEMPT${String(made).padStart(6, '0')}`, `42000${made}`]
  const attempts = await sql<{ id: number }>`insert into payment_attempt (attempt_no, order_id, order_no, occurred_at,
      merchant_id, machine_id, account_id, method, product, amount_fen, paid_fen, state, channel_no, msg_id,
      business_day, created_at, expires_at, paid_at)
    values (${attemptNo}, ${orderId}, ${orderNo}, ${paidAt}, ${merchantId}, ${machine.id}, ${accountId}, 'wechat',
      'native', ${paidFen}, ${paidFen}, 'paid', ${channelNo}, ${`m${made}`}, ${DAY}, ${paidAt}, ${paidAt}, ${paidAt})
    returning id`.execute(db)
  await world.services.db.transaction().execute((tx) =>
    postTransfers(tx, [
      {
        kind: 'sale',
        reference: String(orderId),
        merchantId,
        postedAt: world.services.clock.now(),
        businessDay: DAY,
        postings: salePostings({
          method: 'wechat',
          paidFen,
          merchantId,
          machineCode: machine.code,
          collectsPayment: false,
        }),
      },
    ]),
  )
  return { orderId, attemptId: only(attempts).id, attemptNo, channelNo, paidFen }
}

/** A refund that the channel has paid. */
export async function giveBack(books: Books, sold: Sold, amountFen = sold.paidFen, endedAt = at('14:00')) {
  const { world, merchantId, machine } = books
  made += 1
  const refundNo = `REFUND${String(made).padStart(6, '0')}`
  const id = await world.services.db.transaction().execute(async (tx) => {
    const found = await sql<{ id: number }>`insert into refund (refund_no, order_id, merchant_id, occurred_at,
        machine_id, order_no, method, attempt_id, amount_fen, cause, state, requested_at, ended_at, channel_refund_no)
      select ${refundNo}, o.id, o.merchant_id, o.occurred_at, o.machine_id, o.order_no, 'wechat', ${sold.attemptId},
        ${amountFen}, 'jam', 'refunded', ${endedAt}, ${endedAt}, ${`50${made}`} from orders o
      where o.id = ${sold.orderId} returning id`.execute(tx)
    const refundId = only(found).id
    await postTransfers(tx, [
      {
        kind: 'refund',
        reference: String(refundId),
        merchantId,
        postedAt: world.services.clock.now(),
        businessDay: DAY,
        postings: refundPostings({
          byHand: null,
          method: 'wechat',
          amountFen,
          merchantId,
          machineCode: machine.code,
          collectsPayment: false,
        }),
      },
    ])
    return refundId
  })
  return { id, refundNo, channelRefundNo: `50${made}`, amountFen }
}

export const paymentLine = (
  sold: Partial<Sold> & { paidFen: number },
  more: Partial<StatementLine> = {},
): StatementLine => ({
  kind: 'payment',
  attemptNo: sold.attemptNo ?? '',
  refundNo: '',
  channelNo: sold.channelNo ?? '',
  amountFen: sold.paidFen,
  feeFen: Math.round(sold.paidFen * 0.006),
  balanceFen: null,
  at: at('12:00'),
  ...more,
})

export const refundLine = (refund: { refundNo: string; amountFen: number }): StatementLine => ({
  ...paymentLine({ paidFen: refund.amountFen }),
  kind: 'refund',
  refundNo: refund.refundNo,
  feeFen: 0,
})

/** The run of a day, opened as the job does. */
export async function runOf(books: Books, day = DAY): Promise<Run> {
  const { db, clock } = books.world.services
  await db.transaction().execute((tx) => openRuns(tx, clock.now()))
  const [run] = await findRuns(db, sql<boolean>`r.day = ${day}::date`)
  if (!run) throw new Error(`no run of ${day}`)
  return run
}

export function importBill(books: Books, run: Run, kind: 'trade' | 'fund', lines: readonly StatementLine[]) {
  const { db, clock } = books.world.services
  const content = Buffer.from(JSON.stringify([run.day, kind, lines]))
  const source = { runId: run.id, source: 'fetched' as const, by: null, at: clock.now() }
  return db.transaction().execute((tx) => keepFile(tx, { kind, name: 'bill.csv', content, lines }, source))
}

/** What each account holds that holds something. */
export async function balances(db: Reader): Promise<Record<string, number>> {
  const found = await sql<{ name: string; fen: number }>`select kind || case when key = '' then '' else ':' || key end
      as name, sum(balance_fen)::bigint as fen from ledger_account where balance_fen <> 0 group by 1`.execute(db)
  return Object.fromEntries(found.rows.map(({ name, fen }) => [name, fen]))
}
