import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { addOrder } from '../../testing/builders'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    refunds: 'machine',
    problems: 'machine',
    'unclaimed-payments': 'merchant',
  },
  nothingThere: [
    // Named by the number of an order, which the matrix makes up (refund/people.test.ts asks for real ones).
    'refund.getRefundable',
    'refund.applyRefund',
  ],
  rows: {
    refunds: addRefundRow,
    problems: addProblem,
    'unclaimed-payments': addUnclaimed,
  },
}

/** Of the order that is made for it: the walk turns it down, and asks for others of the branch's own order. */
async function addRefundRow(db: Reader, { machines, at, mark, merchantId }: BranchBase): Promise<number> {
  const [machine] = machines
  if (!machine) return 0
  const { id, orderNo } = await addOrder(db, machine, at)
  return inserted(
    db,
    sql`insert into refund (refund_no, order_id, merchant_id, occurred_at, machine_id, order_no, method, amount_fen,
        cause, reason, state, requested_at)
      values (${`R20261120${String(id).padStart(9, '0')}01`}, ${id}, ${merchantId}, ${at}, ${machine.id}, ${orderNo},
        'alipay', 200, 'other', ${mark}, 'pending_review', ${at})`,
  )
}

async function addProblem(db: Reader, { machines, at, mark, merchantId }: BranchBase): Promise<number> {
  const [machine] = machines
  if (!machine) return 0
  const { id } = await addOrder(db, machine, at)
  return inserted(
    db,
    sql`insert into problem_case (order_id, merchant_id, occurred_at, machine_id, kind, opened_at, reason)
      values (${id}, ${merchantId}, ${at}, ${machine.id}, 'late_result', ${at}, ${mark})`,
  )
}

/** Small enough that one person decides. */
async function addUnclaimed(db: Reader, { at, mark, merchantId, idOf }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into unclaimed_payment (provider_account_id, provider, channel_no, attempt_no, amount_fen, paid_at,
        noted_at, cause)
      values (${await idOf('provider-accounts')}, 'wechat', ${`${mark}-${merchantId}`}, ${mark}, 300, ${at}, ${at},
        'unknown_number')`,
  )
}
