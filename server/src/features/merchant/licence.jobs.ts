import type { LicenceKind } from '@aisle/contract/merchant/licence'
import { warningThresholds } from '@aisle/contract/merchant/licence'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Reader, Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { send } from '../../kernel/outbox'
import { word } from '../../kernel/words'
import { administratorsOf } from './administrator.reads'
import { warningDaysOf } from './licence.reads'
import { warningFor } from './licence.rules'

/** Half past eight in China, when whoever renews licences has sat down. */
export const jobs: Job[] = [{ name: 'merchant.warnOfLicences', cron: '30 0 * * *', run: warnOfLicences }]

type Ending = {
  id: number
  merchantId: number
  kind: LicenceKind
  number: string
  holder: string
  merchant: string
  validTo: string
  daysLeft: number
  warningDays: number
}

/** Days after its end in which a licence is still warned of: longer than any pause of the job. */
const LOOK_BACK_DAYS = 31

/** One message a receiver, term and threshold, however often it runs: the message's reference is unique. */
export async function warnOfLicences({ db, clock, keys }: Services): Promise<void> {
  const now = clock.now()
  for (const licence of await endingLicences(db, now)) {
    const threshold = warningFor(licence.daysLeft, licence.warningDays)
    if (threshold === null) continue
    for (const receiver of await administratorsOf(db, licence.merchantId)) {
      const { userId, merchantId, language } = receiver
      await send(db, keys, {
        type: 'licence.expiring',
        channel: 'web',
        merchantId,
        userId,
        receiver: '',
        ...worded(licence, language),
        vars: varsOf(licence, language),
        reference: `licence.expiring/${licence.id}/${licence.validTo}/${threshold}/${userId}`,
        at: now,
      })
    }
  }
}

async function endingLicences(db: Reader, now: Date): Promise<Ending[]> {
  const day = now.toISOString().slice(0, 10)
  const found = await sql<Ending>`
    select l.id, l.merchant_id as "merchantId", l.kind, l.number, l.holder, m.name as merchant, l.valid_to as "validTo",
      l.valid_to - (${now}::timestamptz at time zone m.time_zone)::date as "daysLeft",
      ${warningDaysOf(sql`m`)} as "warningDays"
    from licence l join merchant m on m.id = l.merchant_id
    where l.revoked_at is null
      and l.valid_to between ${day}::date - ${LOOK_BACK_DAYS}::int and ${day}::date + ${warningThresholds[0] + 1}::int
    order by l.id`.execute(db)
  return found.rows
}

/** What the platform's own words for the type may name. */
const varsOf = ({ kind, number, holder, merchant, validTo, daysLeft }: Ending, language: Language) => ({
  licence: `${word(language, 'merchant', `licenceKind.${kind}`)} ${number} · ${holder}`,
  merchant,
  day: validTo,
  days: String(daysLeft),
})

function worded(licence: Ending, language: Language) {
  const { daysLeft } = licence
  const vars = varsOf(licence, language)
  const when = daysLeft < 0 ? 'expired' : 'expiring'
  return {
    title: word(language, 'merchant', `licence.notice.${when}.title`, vars),
    body: word(language, 'merchant', `licence.notice.${when}.body`, vars),
  }
}
