import { addCodeBatch, addCodePlan, getCodePlan, listCodePlan } from '@aisle/contract/promotion/code'
import { addCouponPlan, getCouponPlan, issueCoupons, listCouponPlan } from '@aisle/contract/promotion/coupon'
import { sql } from 'kysely'
import { aboutVoucher } from '../../features/promotion/voucher/secret'
import { unseal } from '../../kernel/seal'
import { heldAt, type MachineHeld } from './held'
import type { Past } from './within'

/** What the operator gives out today: coupons to members and over the counter, and codes on its posters. */
export async function giveVouchers(past: Past, held: MachineHeld): Promise<void> {
  const { as, run, tx } = past
  const off = { kind: 'threshold' as const, stacks: true, priority: 8 }
  const said = {
    ...off,
    name: '新客满 10 减 2',
    leastFen: 1000,
    amountFen: 200,
    validDays: 60,
    maxIssued: 5000,
    perMember: 1,
  }
  const { id } = await as('merchant', addCouponPlan, said)
  const { conflicts } = await as('merchant', getCouponPlan, { id })
  await as('merchant', listCouponPlan, { id, conflictsSeen: conflicts.length })
  await as('merchant', issueCoupons, { planId: id, audience: 'level', level: 1, reason: '新会员' })
  const over = await as('merchant', issueCoupons, { planId: id, audience: 'bearer', count: 60, reason: '节日活动' })
  const ends = new Date(past.latestMs + 90 * 86_400_000).toISOString().slice(0, 10)
  const poster = { ...off, name: '地铁海报满 15 减 3', leastFen: 1500, amountFen: 300, endsOn: ends }
  const { id: codeId } = await as('merchant', addCodePlan, poster)
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
    if (machine) heldAt(held, machine.code).vouchers.push(unseal(past.services.keys, aboutVoucher(digest), sealed))
  }
}
