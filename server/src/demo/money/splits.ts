import { addSplitReceiver } from '@aisle/contract/settlement/splitReceiver'
import { addSplitRule } from '@aisle/contract/settlement/splitRule'
import { sql } from 'kysely'
import { receivers } from '../../features/settlement/split/split.store'
import { only } from '../../kernel/must'
import { DAY_MS } from '../calendar'
import { BILLED_DAYS, receiverSeeds } from '../data/channels'
import type { Past } from '../life/within'

/** Within the days whose payments the stand-in knows, and whose bills there are. */
const SHARED_DAYS = BILLED_DAYS - 1

/** A machine whose mall has a share in what it sells; what was sold under the rule is shared by the stand-in. */
export async function shareOrders({ as, at, day, idOf, tx, latestMs }: Past, code: string | undefined) {
  if (code === undefined) return
  const sinceMs = latestMs - SHARED_DAYS * DAY_MS
  at(sinceMs - DAY_MS)
  const merchantId = idOf('merchant', 'EAST')
  const lines: { receiverId: number; ratePercent: number | null; fixedFen: number | null }[] = []
  for (const { provider, type, account, name, ratePercent = null, fixedFen = null } of receiverSeeds) {
    const through = only(
      await sql<{ id: number }>`select id from payment_account where merchant_id = ${merchantId}
        and provider = ${provider} and state = 'activated' and machine_id is null`.execute(tx),
    )
    const receiver = { kind: 'outside' as const, receiverName: name, accountType: type, account }
    const asked = { ...receiver, accountId: through.id, consents: type === 'merchant_no' }
    const { id } = await as('deputy', addSplitReceiver, asked)
    const isClosed = account.endsWith('0000')
    const change = isClosed ? { detail: 'ACQ.USER_NOT_EXIST' } : { boundAt: new Date(sinceMs - DAY_MS) }
    await receivers.moveAll(tx, sql`id = ${id}`, isClosed ? 'refuse' : 'confirm', { ...change, nextAt: null })
    if (!isClosed) lines.push({ receiverId: id, ratePercent, fixedFen })
  }
  const rule = { merchantId, machineId: idOf('machine', code), lines, reason: '商场场地协议' }
  await as('deputy', addSplitRule, { ...rule, validFrom: day(1 - SHARED_DAYS) })
  at(latestMs)
}
