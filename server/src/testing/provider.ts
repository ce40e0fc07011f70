import type { FundsMode, Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { type StandIn, startStandIn } from '../../../fleet/src/provider/standIn'
import { addProviderAccount, newKeyPairs, newProviderFile } from '../demo/money/providerAccount'
import type { World } from './world'

export type Providers = {
  /** The three providers in this process: what goes wrong there is `standIn.mischief`. */
  standIn: StandIn
  /** An activated account of the merchant at a provider. @returns its id and what its notifications are sent to */
  add: (account: NewAccount) => Promise<{ id: number; providerAccountId: number; notifyPath: string }>
}
export type NewAccount = {
  merchantId: number
  provider: Provider
  fundsMode?: FundsMode
  machineId?: number
  subMerchantNo?: string
  /** Several of one provider need different ones. */
  providerNo?: string
}

type Deliver = NonNullable<Parameters<typeof startStandIn>[0]['deliver']>

/** A test signs often, and nobody attacks it. */
const SHORT_BITS = 1024
const PUBLIC = 'http://aisle.test'

/**
 * A stand-in provider whose clock is the world's, and accounts at it. Notifications go to `deliver`, which gets the
 * path alone: `app.inject` of a test takes them, or a list does.
 */
export async function openProviders(
  world: World,
  deliver: Deliver = async () => ({ status: 200, body: 'success' }),
): Promise<Providers> {
  const { db, keys, clock } = world.services
  const file = await newProviderFile(newKeyPairs(3, SHORT_BITS))
  const standIn = await startStandIn({
    file,
    nowMs: () => clock.now().getTime(),
    deliver: (url, headers, body) => deliver(url.replace(PUBLIC, ''), headers, body),
  })
  await sql`insert into setting (key, value) values ('site.address', ${JSON.stringify(PUBLIC)}::jsonb)
    on conflict do nothing`.execute(db)
  const add: Providers['add'] = async (account) => {
    const { merchantId, provider, fundsMode = 'demo', machineId = null, subMerchantNo = '' } = account
    const gateway = provider === 'alipay' ? `${standIn.url}/gateway.do` : standIn.url
    const providerNo = account.providerNo ?? numbers[provider]
    const named = { name: `Test ${providerNo}`, appId: appIds[provider], providerNo, gateway, at: clock.now() }
    const known = { file, pairs: newKeyPairs(1, SHORT_BITS) }
    const providerAccountId = await addProviderAccount(db, keys, known, { merchantId, provider, ...named })
    const made = await sql<{ id: number; token: string }>`
      insert into payment_account (merchant_id, provider, provider_account_id, machine_id, sub_merchant_no,
        payment_title, funds_mode, state, activated_at)
      values (${merchantId}, ${provider}, ${providerAccountId}, ${machineId}, ${subMerchantNo}, 'Test shop',
        ${fundsMode}, 'activated', ${clock.now()})
      returning id, (select token from provider_account where id = ${providerAccountId})`.execute(db)
    const { id = 0, token = '' } = made.rows[0] ?? {}
    return { id, providerAccountId, notifyPath: `/api/pay/notify/${provider}/${token}` }
  }
  return { standIn, add }
}

const numbers = { wechat: '1900000109', alipay: '2088000000000109', unionpay: '777290058110048' } as const
const appIds = { wechat: 'wx8888888888888888', alipay: '2021000100000109', unionpay: '' } as const
