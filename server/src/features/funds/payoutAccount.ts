import type { listPayoutAccounts, putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import type { CommandContext, QueryContext, Services } from '../../kernel/context'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { isPlatformsOwn, merchantInSight, refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { seal, unseal } from '../../kernel/seal'

const payoutSecret = (merchantId: number): string => `payoutAccount:${merchantId}`

/** @returns null where our keys do not open it */
export function secretOf(keys: Services['keys'], { holderId, secret }: { holderId: number; secret: Buffer }) {
  try {
    return unseal(keys, payoutSecret(holderId), secret)
  } catch {
    return null
  }
}

export async function accountsInSight(ctx: QueryContext): Promise<OutputOf<typeof listPayoutAccounts>> {
  const found = await sql<OutputOf<typeof listPayoutAccounts>['items'][number]>`
    select p.id, p.merchant_id as "merchantId", m.name as "merchantName", p.funds_mode as "fundsMode", p.holder, p.bank,
      p.customer_no as "customerNo", p.address, p.is_on as "isOn"
    from payout_account p join merchant m on m.id = p.merchant_id
    where ${merchantInSight(sightOf(ctx.actor), sql`p.merchant_id`)} order by cardinality(m.path), m.id`.execute(ctx.db)
  return { items: found.rows }
}

/** Of people of the platform: whoever names where money is paid from could pay it out twice. */
export async function putAccount(ctx: CommandContext, input: InputOf<typeof putPayoutAccount>) {
  const { merchantId, secret, ...named } = input
  if (!(await isPlatformsOwn(ctx.tx, ctx.actor))) refuse('request.notPermitted')
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  const found = await sql<{ secret: Buffer }>`select secret from payout_account
    where merchant_id = ${merchantId} for update`.execute(ctx.tx)
  const sealed = secret ? seal(ctx.services.keys, payoutSecret(merchantId), secret) : found.rows[0]?.secret
  if (!sealed) refuse('payoutAccount.noSecret')
  const { fundsMode, holder, bank, customerNo, address, isOn } = named
  const { id } = only(
    await sql<{ id: number }>`insert into payout_account
        (merchant_id, funds_mode, holder, bank, customer_no, address, secret, is_on, changed_at)
      values (${merchantId}, ${fundsMode}, ${holder}, ${bank}, ${customerNo}, ${address}, ${sealed}, ${isOn},
        ${ctx.now()})
      on conflict (merchant_id) do update set funds_mode = excluded.funds_mode, holder = excluded.holder,
        bank = excluded.bank, customer_no = excluded.customer_no, address = excluded.address,
        secret = excluded.secret, is_on = excluded.is_on, changed_at = excluded.changed_at,
        version = payout_account.version + 1 returning id`.execute(ctx.tx),
  )
  await auditAs('payoutAccount')(ctx, { id, merchantId }, null, { ...named, isNewSecret: secret !== '' })
  return { id }
}
