import { randomBytes } from 'node:crypto'
import type { TestOutcome } from '@aisle/contract/payment/provider'
import type { Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import type { Services } from '../../../kernel/context'
import { channelOfProvider } from '../channel/channel'
import { stateOfKeys } from './key.rules'

type Account = { provider: Provider; merchantId: number; above: number[] }

/**
 * Asks the provider for a payment that nobody made. Whoever is told in a signed answer that there is none has keys
 * that both sides believe. The exchange is kept like every other.
 */
export async function testKeys(services: Services, id: number): Promise<void> {
  const { db, clock } = services
  const found = await sql<Account>`select p.provider, p.merchant_id as "merchantId", m.path as above
    from provider_account p join merchant m on m.id = p.merchant_id where p.id = ${id}`.execute(db)
  const account = found.rows[0]
  if (!account) return
  const { outcome, said } = await ask(services, id, account.provider)
  await sql`update provider_account set test_ended_at = ${clock.now()}, test_outcome = ${outcome},
    test_said = ${said.slice(0, 200)} where id = ${id}`.execute(db)
  const { merchantId, above } = account
  await announce(db, { topic: 'changes', kinds: ['providerAccount'], merchantIds: [merchantId], above })
}

async function ask(
  services: Services,
  id: number,
  provider: Provider,
): Promise<{ outcome: TestOutcome; said: string }> {
  const { db, clock } = services
  const keys = await sql<{ kind: 'private_key'; validUntil: Date | null }>`
    select kind, valid_until as "validUntil" from provider_key where provider_account_id = ${id}`.execute(db)
  if (stateOfKeys(provider, keys.rows, clock.now()) === 'missing') return { outcome: 'unset', said: '' }
  const channel = await channelOfProvider(services, id)
  const attemptNo = `T${randomBytes(12).toString('hex').toUpperCase()}`
  const now = clock.now()
  const answer = await channel.query({
    attemptNo,
    amountFen: 1,
    title: 'test',
    askedAt: now,
    expiresAt: now,
    channelNo: null,
    paidAt: null,
  })
  const said = answer.code ?? ''
  if (answer.outcome !== 'unknown') return { outcome: 'good', said }
  const heard = await sql<{ outcome: string; status: number | null }>`select outcome, status from channel_exchange
    where reference = ${attemptNo} order by at desc, id desc limit 1`.execute(db)
  const [last] = heard.rows
  if (!last || last.outcome === 'silent') return { outcome: 'silent', said }
  return { outcome: 'refused', said: said || `HTTP ${last.status ?? ''}` }
}
