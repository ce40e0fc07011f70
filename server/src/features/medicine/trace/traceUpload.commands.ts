import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type putTraceAccount, type resendTraceUpload, traceUploadState } from '@aisle/contract/medicine/traceUpload'
import { sql } from 'kysely'
import { auditAs } from '../../../kernel/audit'
import type { CommandContext } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refuse } from '../../../kernel/refuse'
import { merchantInSight, refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { seal } from '../../../kernel/seal'
import { stateful } from '../../../kernel/states'
import { accountSecret } from './traceUpload.jobs'

type Held = { id: number; merchantId: number; state: (typeof traceUploadState.states)[number]; batch: string | null }

const uploads = stateful<'traceUpload', 'state', 'send' | 'accept' | 'refuse' | 'resend', 'due', Held>(
  'traceUpload',
  'state',
  traceUploadState,
  { versioned: false, refuse: () => refuse('traceUpload.state') },
)

/** Under the same id: the platform has refused it and has nothing under it. */
export async function resend(ctx: CommandContext, { id, batch }: InputOf<typeof resendTraceUpload>) {
  const found = await sql<Held>`select u.id, u.merchant_id as "merchantId", u.state, u.batch from trace_upload u
    where u.id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`u.merchant_id`)} for update`.execute(ctx.tx)
  const row = existing(found.rows[0])
  const said = batch === '' ? row.batch : batch
  await uploads.move(ctx.tx, row, 'resend', { batch: said, tries: 0, nextTryAt: ctx.now() })
  await auditAs('traceUpload')(ctx, row, { batch: row.batch }, { batch: said })
  return { id }
}

export async function putAccount(ctx: CommandContext, input: InputOf<typeof putTraceAccount>) {
  const { merchantId, enterpriseNo, address, secret, isOn } = input
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  const found = await sql<{ secret: Buffer }>`select secret from trace_account
    where merchant_id = ${merchantId} for update`.execute(ctx.tx)
  const sealed = secret ? seal(ctx.services.keys, accountSecret(merchantId), secret) : found.rows[0]?.secret
  if (!sealed) refuse('traceUpload.noSecret')
  const { id } = only(
    await sql<{ id: number }>`
      insert into trace_account (merchant_id, enterprise_no, address, secret, is_on, changed_at)
      values (${merchantId}, ${enterpriseNo}, ${address}, ${sealed}, ${isOn}, ${ctx.now()})
      on conflict (merchant_id) do update set enterprise_no = excluded.enterprise_no, address = excluded.address,
        secret = excluded.secret, is_on = excluded.is_on, changed_at = excluded.changed_at,
        version = trace_account.version + 1 returning id`.execute(ctx.tx),
  )
  await auditAs('traceAccount')(ctx, { id, merchantId }, null, {
    enterpriseNo,
    address,
    isOn,
    isNewSecret: secret !== '',
  })
  return { id }
}
