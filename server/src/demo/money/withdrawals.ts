import { randomBytes } from 'node:crypto'
import { putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import { LEAST_FEN } from '@aisle/contract/funds/states'
import { applyWithdrawal, approveWithdrawal, getFunds } from '@aisle/contract/funds/withdrawal'
import { sql } from 'kysely'
import { openBank } from '../../features/funds/bank.channel'
import { payWithdrawals } from '../../features/funds/pay.commands'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Services } from '../../kernel/context'
import { only } from '../../kernel/must'
import { PLATFORM } from '../data/merchants'
import type { Past } from '../life/within'
import { type Ids, idOf } from '../people/people'
import { standInAt } from './channels'
import type { ProviderFile } from './providerAccount'

/** Nobody's; what is meant for it goes to the demo's stand-in. */
const ADDRESS = 'https://bank.example.com/payouts'

/** All merchants are paid from one account that only the demo has, at a bank that its stand-in is. */
export async function openPayer({ as }: Past, merchants: Ids, file: ProviderFile): Promise<void> {
  const [customerNo, secret] = ['JN20190601', randomBytes(24).toString('base64url')]
  file.customers[customerNo] = secret
  await as('admin', putPayoutAccount, {
    merchantId: idOf(merchants, PLATFORM),
    fundsMode: 'demo',
    holder: '平台资金存管专户（演示）',
    bank: '江南商业银行',
    customerNo,
    address: ADDRESS,
    secret,
  })
}

/** Sells little by card: what cards cost an operator is taken off before anything may be withdrawn. */
const WITHDRAWS = 'EASTRX'

/** Of what was settled so far some is paid, some is with the bank, and some waits for a decision. */
export async function withdrawSome({ as, at, services, latestMs, tx }: Past): Promise<void> {
  const today = businessTime(new Date(latestMs), PLATFORM_TIME_ZONE).day
  const yesterday = (time: string) => Date.parse(`${addDays(today, -1)}T${time}:00+08:00`)
  at(yesterday('14:00'))
  const merchantId = only(await sql<{ id: number }>`select id from merchant where code = ${WITHDRAWS}`.execute(tx)).id
  const { withdrawableFen, refusal } = await as('merchant', getFunds, { merchantId, amountFen: LEAST_FEN })
  if (refusal) return at(latestMs)
  const ask = (share: number) =>
    as('merchant', applyWithdrawal, {
      merchantId,
      amountFen: Math.max(LEAST_FEN, Math.floor(withdrawableFen * share)),
    })
  const [paid, sent] = [await ask(0.3), await ask(0.2)]
  at(yesterday('17:20'))
  await ask(0.1)
  for (const { id } of [paid, sent]) await as('deputy', approveWithdrawal, { id })
  at(Date.parse(`${today}T00:01:00+08:00`))
  const given: string[] = []
  await payWithdrawals(services, () => ({
    query: async () => ({ outcome: 'accepted', amountFen: null, bankNo: null, code: null }),
    pay: async ({ reference, amountFen }) => {
      given.push(reference)
      const isFirst = given.length === 1
      return { outcome: isFirst ? 'paid' : 'accepted', amountFen, bankNo: `JN${reference.slice(1, 12)}`, code: null }
    },
  }))
  at(latestMs)
}

/** The product's own job, in a demo: the bank is the stand-in that runs beside us. */
export async function payByStandIn(services: Services): Promise<void> {
  const { near, allowed } = await standInAt(services, '/bank')
  await payWithdrawals(services, (line, at) =>
    openBank({ ...line, address: line.address === ADDRESS ? near : line.address }, at, allowed),
  )
}
