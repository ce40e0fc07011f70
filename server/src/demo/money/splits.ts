import { addSplitReceiver } from '@aisle/contract/settlement/splitReceiver'
import { addSplitRule } from '@aisle/contract/settlement/splitRule'
import { sql } from 'kysely'
import { receivers } from '../../features/settlement/split/split.store'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { only } from '../../kernel/must'
import { DAY_MS } from '../calendar'
import { BILLED_DAYS } from '../data/channels'
import type { Past } from '../life/within'
import { type Ids, idOf } from '../people/people'

/** Within the days whose payments the stand-in knows, and whose bills there are. */
const SHARED_DAYS = BILLED_DAYS - 1

type Seed = {
  provider: 'wechat' | 'alipay'
  type: string
  account: string
  name: string
  ratePercent?: number
  fixedFen?: number
}
/** The mall that a machine stands in, at either channel, and who cleans it; one has closed its account since. */
const seeds: readonly Seed[] = [
  { provider: 'wechat', type: 'merchant_no', account: '1900000871', name: '江南商业管理有限公司', ratePercent: 8 },
  { provider: 'wechat', type: 'openid', account: 'oDemoCleaner0007', name: '周保洁', fixedFen: 10 },
  { provider: 'alipay', type: 'login', account: 'mall@jiangnan.example', name: '江南商业管理有限公司', ratePercent: 8 },
  { provider: 'alipay', type: 'user_id', account: '2088000000000000', name: '旧场地方（已注销）' },
]

/** A machine whose mall has a share in what it sells; what was sold under the rule is shared by the stand-in. */
export async function shareOrders(
  { as, at, tx, latestMs }: Past,
  ids: { merchants: Ids; machines: Ids },
  code: string | undefined,
) {
  if (code === undefined) return
  const sinceMs = latestMs - SHARED_DAYS * DAY_MS
  at(sinceMs - DAY_MS)
  const merchantId = idOf(ids.merchants, 'EAST')
  const lines: { receiverId: number; ratePercent: number | null; fixedFen: number | null }[] = []
  for (const { provider, type, account, name, ratePercent = null, fixedFen = null } of seeds) {
    const through = only(
      await sql<{ id: number }>`select id from payment_account where merchant_id = ${merchantId}
        and provider = ${provider} and state = 'activated' and machine_id is null`.execute(tx),
    )
    const { id } = await as('deputy', addSplitReceiver, {
      accountId: through.id,
      kind: 'outside',
      receiverName: name,
      accountType: type as 'openid',
      account,
      consents: type === 'merchant_no',
    })
    const isClosed = account.endsWith('0000')
    const change = isClosed ? { detail: 'ACQ.USER_NOT_EXIST' } : { boundAt: new Date(sinceMs - DAY_MS) }
    await receivers.moveAll(tx, sql`id = ${id}`, isClosed ? 'refuse' : 'confirm', { ...change, nextAt: null })
    if (!isClosed) lines.push({ receiverId: id, ratePercent, fixedFen })
  }
  await as('deputy', addSplitRule, {
    merchantId,
    machineId: idOf(ids.machines, code),
    lines,
    validFrom: addDays(businessTime(new Date(sinceMs), PLATFORM_TIME_ZONE).day, 1),
    reason: '商场场地协议',
  })
  at(latestMs)
}
