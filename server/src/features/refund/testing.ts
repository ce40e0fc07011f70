import { sql } from 'kysely'
import { addMachine, addMerchant, addProduct, type BuiltMachine } from '../../testing/builders'
import { openProviders, type Providers } from '../../testing/provider'
import { openWorld, type World } from '../../testing/world'
import { jobs as channelJobs } from '../checkout/channel.jobs'
import { ingest } from '../device/link/ingest'
import { spoken } from '../device/testing'
import { sendRefunds } from './send.commands'

/** 12:00 in Shanghai. */
export const NOON = new Date('2026-11-20T04:00:00Z')

export type Shop = Awaited<ReturnType<typeof openShop>>

/**
 * A merchant with a machine of two products at 5.00, whose WeChat payments a stand-in provider takes, and what
 * customers and the machine do there: all through the same doors as in life.
 */
export async function openShop() {
  const world: World = await openWorld(NOON)
  const { services } = world
  const { db } = services
  const providers: Providers = await openProviders(world)
  const rootId = await addMerchant(db)
  const merchantId = await addMerchant(db, { parentId: rootId })
  await providers.add({ merchantId, provider: 'wechat' })
  const later = (minutes: number) => world.setNow(new Date(services.clock.now().getTime() + minutes * 60_000))
  const one = async <T>(query: ReturnType<typeof sql<T>>): Promise<T> => {
    const row = (await query.execute(db)).rows[0]
    if (row === undefined) throw new Error('nothing found')
    return row
  }
  return {
    world,
    services,
    db,
    providers,
    rootId,
    merchantId,
    newMachine: async (isAuto = true): Promise<BuiltMachine> => {
      const products = [await addProduct(db, { merchantId }), await addProduct(db, { merchantId })]
      const machine = await addMachine(db, { merchantId, products, stock: 40 })
      await sql`update machine set auto_refund = ${isAuto} where id = ${machine.id}`.execute(db)
      return machine
    },
    ...tradeAt(world, providers, later),
    later,
    one,
    send: () => sendRefunds(services),
    /** Sent, and asked about until the provider has paid. */
    settle: async () => {
      await sendRefunds(services)
      later(2)
      await sendRefunds(services)
    },
    order: (orderNo: string) => one(sql<OrderFacts>`select * from orders where order_no = ${orderNo}`),
    refunds: async (orderNo: string) =>
      (await sql<RefundFacts>`select * from refund where order_no = ${orderNo} order by id`.execute(db)).rows,
    balance: async (kind: string, key = '') => {
      const found = await sql<{ fen: number }>`select coalesce(sum(balance_fen), 0)::bigint as fen from ledger_account
        where kind = ${kind} and key = ${key}`.execute(db)
      return found.rows[0]?.fen ?? 0
    },
    close: async () => {
      await providers.standIn.stop()
      await world.close()
    },
  }
}

/** What customers and machines do at the shop. */
function tradeAt(world: World, providers: Providers, later: (minutes: number) => void) {
  const { services } = world
  let seq = 0
  const say = (machine: BuiltMachine, type: string, data: Record<string, unknown>) => {
    seq += 1
    return ingest(services, [spoken(world, machine.code, seq, type, data)])
  }
  const askChannels = async () => {
    for (const { name, run } of channelJobs) if (name === 'payment.askOverdue') await run(services, {})
  }
  /** The customer scans what the machine shows. @returns why it is not paid, null when it is */
  const pay = async (orderNo: string): Promise<string | null> => {
    const found = await sql<{ payUrl: string }>`select pay_url as "payUrl" from payment_attempt
      where order_no = ${orderNo}`.execute(services.db)
    return providers.standIn.pay(found.rows[0]?.payUrl ?? '')
  }
  /** Ordered and paid at the provider. @returns the order's number everywhere */
  const bought = async (
    machine: BuiltMachine,
    no: string,
    slots: readonly string[] = ['A1', 'A2'],
  ): Promise<string> => {
    await say(machine, 'order.request', { orderNo: no, method: 'wechat', items: slots.map((slot) => ({ slot })) })
    await askChannels()
    const orderNo = `${machine.code}-${no}`
    const refusal = await pay(orderNo)
    if (refusal) throw new Error(`not paid: ${refusal}`)
    later(1)
    await askChannels()
    return orderNo
  }
  /** What came of each item: out, or jammed. */
  const vended = async (machine: BuiltMachine, no: string, outs: readonly boolean[], slots = ['A1', 'A2']) => {
    for (const [index, ok] of outs.entries()) {
      const codes = ok ? { motorCode: '100', sensorCode: '01' } : { motorCode: '100', sensorCode: '03' }
      await say(machine, 'vend.result', { orderNo: no, index, slot: slots[index] ?? 'A1', ok, ...codes })
    }
  }
  const cash = (machine: BuiltMachine, no: string, outs: readonly boolean[]) =>
    say(machine, 'sale', {
      orderNo: no,
      method: 'cash',
      paidFen: 500 * outs.length,
      items: outs.map((ok, at) => ({
        slot: machine.slots[at]?.code ?? '',
        product: machine.slots[at]?.productCode ?? '',
        priceFen: 500,
        ok,
        ...(ok ? {} : { motorCode: '100', sensorCode: '03' }),
      })),
    })
  return { say, askChannels, pay, bought, vended, cash }
}

type OrderFacts = {
  id: number
  payment_state: string
  ship_state: string
  problem: string | null
  paid_fen: number
  refunded_fen: number
  held_fen: number
}
type RefundFacts = {
  id: number
  refund_no: string
  state: string
  detail: string | null
  cause: string
  amount_fen: number
  tries: number
  requested_by: number | null
}
