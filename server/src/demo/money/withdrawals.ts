import { randomBytes } from 'node:crypto'
import { putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import { LEAST_FEN } from '@aisle/contract/funds/states'
import { applyWithdrawal, approveWithdrawal, getFunds } from '@aisle/contract/funds/withdrawal'
import { sql } from 'kysely'
import { type OpenBank, openBank } from '../../features/funds/bank.channel'
import type { Bank, StatementLine } from '../../features/funds/bank.types'
import { payWithdrawals } from '../../features/funds/pay.commands'
import { PAY } from '../../features/funds/withdrawal.commands'
import { READ_STATEMENTS, readStatements } from '../../features/funds/statement.commands'
import type { Services } from '../../kernel/context'
import { only } from '../../kernel/must'
import { PLATFORM } from '../data/merchants'
import type { Past } from '../life/within'
import { standInAt } from './channels'
import type { ProviderFile } from './providerAccount'

/** Nobody's; what is meant for it goes to the demo's stand-in. */
const ADDRESS = 'https://bank.example.com/payouts'

/** All merchants are paid from one account that only the demo has, at a bank that its stand-in is. */
export async function openPayer({ as, idOf }: Past, file: ProviderFile): Promise<void> {
  const [customerNo, secret] = ['JN20190601', randomBytes(24).toString('base64url')]
  file.customers[customerNo] = secret
  await as('admin', putPayoutAccount, {
    merchantId: idOf('merchant', PLATFORM),
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

/** What the bank takes for itself stands in its statement too. */
const CHARGE = '账户管理费'

/** Of what was settled so far some is paid, some is with the bank, and some waits for a decision. */
export async function withdrawSome({ as, at, day, services, latestMs, tx }: Past): Promise<void> {
  const [before, yesterday] = [day(-2), day(-1)]
  const clock = (on: string, time: string) => at(Date.parse(`${on}T${time}:00+08:00`))
  clock(before, '14:00')
  const merchantId = only(await sql<{ id: number }>`select id from merchant where code = ${WITHDRAWS}`.execute(tx)).id
  const { withdrawableFen, refusal } = await as('merchant', getFunds, { merchantId, amountFen: LEAST_FEN })
  if (refusal) return at(latestMs)
  const part = (share: number) => Math.max(LEAST_FEN, Math.floor(withdrawableFen * share))
  const ask = (share: number) => as('merchant', applyWithdrawal, { merchantId, amountFen: part(share) })
  const [paid, sent] = [await ask(0.3), await ask(0.2)]
  clock(before, '17:20')
  for (const { id } of [paid, sent]) await as('deputy', approveWithdrawal, { id })
  clock(yesterday, '00:01')
  const lines: StatementLine[] = []
  const bank: Bank = {
    query: async () => ({ outcome: 'accepted', amountFen: null, bankNo: null, code: null }),
    pay: async ({ reference, amountFen }) => {
      const bankNo = `JN${reference.slice(1, 12)}${lines.length}`
      const isFirst = lines.length === 0
      const said = isFirst ? { reference, amountFen } : { reference: CHARGE, amountFen: 500 }
      lines.push({ kind: 'paid', bankNo, ...said })
      return { outcome: isFirst ? 'paid' : 'accepted', amountFen, bankNo, code: null }
    },
    statement: async (on) => ({ lines: on === yesterday ? lines : [], isLast: true }),
  }
  await payWithdrawals(services, () => bank)
  clock(yesterday, '14:00')
  await ask(0.1)
  at(latestMs)
  await readStatements(services, () => bank)
}

/** The product's own jobs, in a demo: the bank is the stand-in that runs beside us. */
const withStandIn =
  (work: (services: Services, open: OpenBank) => Promise<void>) =>
  async (services: Services): Promise<void> => {
    const { near, allowed } = await standInAt(services, '/bank')
    await work(services, (line, at) =>
      openBank({ ...line, address: line.address === ADDRESS ? near : line.address }, at, allowed),
    )
  }

export const bankJobs: Record<string, (services: Services) => Promise<void>> = {
  [PAY]: withStandIn(payWithdrawals),
  [READ_STATEMENTS]: withStandIn(readStatements),
}
