import { grantsGiving } from '@aisle/contract/identity/permissions'
import type { KeyKind } from '@aisle/contract/payment/provider'
import type { Provider } from '@aisle/contract/payment/states'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { Reader, Services } from '../../../kernel/context'
import { send } from '../../../kernel/outbox'
import { word } from '../../../kernel/words'
import { keyWarnings, warningOfKey } from './key.rules'

const DAY_MS = 86_400_000

type Ending = {
  id: number
  merchantId: number
  merchant: string
  account: string
  provider: Provider
  kind: KeyKind
  validUntil: Date
}
type Receiver = { userId: number; merchantId: number; language: Language }

/** One message a receiver, certificate and threshold, however often it runs: the message's reference is unique. */
export async function warnOfKeys({ db, clock, keys }: Services): Promise<void> {
  const now = clock.now()
  for (const key of await endingKeys(db, now)) {
    const daysLeft = Math.floor((key.validUntil.getTime() - now.getTime()) / DAY_MS)
    const threshold = warningOfKey(daysLeft)
    if (threshold === null) continue
    const { day } = businessTime(key.validUntil, PLATFORM_TIME_ZONE)
    for (const { userId, merchantId, language } of await receiversOf(db, key.merchantId)) {
      const vars = {
        merchant: key.merchant,
        account: key.account,
        provider: word(language, 'payment', `provider.${key.provider}`),
        key: word(language, 'payment', `keyKind.${key.kind}`),
        day,
        days: String(daysLeft),
      }
      await send(db, keys, {
        type: 'providerKey.expiring',
        channel: 'web',
        merchantId,
        userId,
        receiver: '',
        title: word(language, 'payment', 'key.notice.title', vars),
        body: word(language, 'payment', 'key.notice.body', vars),
        vars,
        reference: `providerKey.expiring/${key.id}/${key.kind}/${day}/${threshold}/${userId}`,
        at: now,
      })
    }
  }
}

/** Of accounts that something hangs on; what only was prepared says so where it is. */
async function endingKeys(db: Reader, now: Date): Promise<Ending[]> {
  const found = await sql<Ending>`
    select p.id, p.merchant_id as "merchantId", m.name as merchant, p.name as account, p.provider, k.kind,
      k.valid_until as "validUntil"
    from provider_key k join provider_account p on p.id = k.provider_account_id join merchant m on m.id = p.merchant_id
    where k.valid_until is not null and k.valid_until > ${now}
      and k.valid_until < ${now}::timestamptz + ${keyWarnings[0] + 1} * interval '1 day'
      and exists (select 1 from payment_account a where a.provider_account_id = p.id and a.state <> 'stopped')
    order by p.id, k.kind`.execute(db)
  return found.rows
}

/** Who may set the keys of the merchant's accounts, and sees them. */
async function receiversOf(db: Reader, merchantId: number): Promise<Receiver[]> {
  const found = await sql<Receiver>`
    select u.id as "userId", u.merchant_id as "merchantId", u.language from app_user u
    where u.state = 'active' and exists (select 1 from user_role r join role_permission p on p.role_id = r.role_id
        where r.user_id = u.id and p.permission = any(${grantsGiving('paymentService.secret')}::text[]))
      and (u.kind = 'platform_admin' or u.merchant_id = ${merchantId}
        or (u.kind = 'merchant_admin' and u.merchant_id = any((select path from merchant where id = ${merchantId})
          ::bigint[])))
    order by u.id`.execute(db)
  return found.rows
}
