import { addCodeBatch, addCodePlan, getCodePlan, listCodePlan } from '@aisle/contract/promotion/code'
import { addCouponPlan, getCouponPlan, issueCoupons, listCouponPlan } from '@aisle/contract/promotion/coupon'
import { sql } from 'kysely'
import { aboutVoucher } from '../../features/promotion/voucher/secret'
import { unseal } from '../../kernel/seal'
import { couponPlan, posterPlan } from '../data/promotions'
import { heldAt, type MachineHeld } from './held'
import type { Past } from './within'

/** What the operator gives out today: coupons to members and over the counter, and codes on its posters. */
export async function giveVouchers(past: Past, held: MachineHeld): Promise<void> {
  const { as, day, run, services, tx } = past
  const { id } = await as('merchant', addCouponPlan, couponPlan)
  const { conflicts } = await as('merchant', getCouponPlan, { id })
  await as('merchant', listCouponPlan, { id, conflictsSeen: conflicts.length })
  await as('merchant', issueCoupons, { planId: id, audience: 'level', level: 1, reason: '新会员' })
  const over = await as('merchant', issueCoupons, { planId: id, audience: 'bearer', count: 60, reason: '节日活动' })
  const { id: codeId } = await as('merchant', addCodePlan, { ...posterPlan, endsOn: day(90) })
  const seen = (await as('merchant', getCodePlan, { id: codeId })).conflicts.length
  await as('merchant', listCodePlan, { id: codeId, conflictsSeen: seen })
  const batch = await as('merchant', addCodeBatch, { id: codeId, count: 500, reason: '印刷宣传品' })
  await run('promotion.makeVouchers', { batchId: batch.id })
  const numbers = await sql<{ digest: Buffer; sealed: Buffer }>`select digest, sealed from voucher
    where batch_id = ${over.id} order by serial`.execute(tx)
  const machines = await sql<{ code: string }>`select m.code from machine m join merchant o on o.id = m.merchant_id
    join promotion_plan p on p.id = ${id} and p.merchant_id = any(o.path)
    where m.category <> 'medicine' order by m.code`.execute(tx)
  for (const [at, { digest, sealed }] of numbers.rows.entries()) {
    const machine = machines.rows[at % machines.rows.length]
    if (machine) heldAt(held, machine.code).vouchers.push(unseal(services.keys, aboutVoucher(digest), sealed))
  }
}
