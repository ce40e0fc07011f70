import { cashCollectionState } from '@aisle/contract/field/cashCollection'
import { cashDepositState } from '@aisle/contract/field/cashDeposit'
import { type RawBuilder, sql } from 'kysely'
import { endOf } from '../../../kernel/platformDays'
import { refuse } from '../../../kernel/refuse'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { stateful, statesIn } from '../../../kernel/states'

/** @throws Refusal cashDeposit.state */
export const deposits = stateful('cashDeposit', 'state', cashDepositState, {
  versioned: false,
  refuse: () => refuse('cashDeposit.state'),
})

/** Of boxes `c` of machines in sight: counted by the end of the day, and not at a bank. */
export const unbanked = (
  sight: Sight,
  { merchantId, through }: { merchantId: number; through: string },
): RawBuilder<boolean> =>
  sql<boolean>`c.merchant_id = ${merchantId} and ${machineInSight(sight, sql`c.machine_id`)}
    and c.state in ${statesIn(cashCollectionState, 'bankable')} and c.deposit_id is null and c.counted_fen > 0
    and c.settled_at < ${endOf(through)}`
