import { randomBytes } from 'node:crypto'
import { type WebhookState, webhookState } from '@aisle/contract/events/states'
import { type addWebhook, type editWebhook, MOST_WEBHOOKS, SECRETS_OVERLAP_HOURS } from '@aisle/contract/events/webhook'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import { auditAs } from '../../kernel/audit'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { only } from '../../kernel/must'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { seal } from '../../kernel/seal'
import { stateful } from '../../kernel/states'
import { integrationInSight, refuseBeyond } from '../merchant/public'
import { SECRET_PREFIX } from './webhook.rules'
import { endWebhook } from './webhook.store'

type Changed = { id: number }
type Row = {
  id: number
  merchantId: number
  merchantName: string
  machineId: number | null
  address: string
  kinds: string[]
  state: WebhookState
  version: number
}

const webhooks = stateful('webhookEndpoint', 'state', webhookState, {
  versioned: true,
  refuse: () => refuse('webhook.state'),
})

export async function add(ctx: CommandContext, input: InputOf<typeof addWebhook>) {
  const { configId, address, kinds } = input
  const feed = await loadFeed(ctx, configId)
  const secret = newSecret()
  const made = await refusedBy(
    'webhook_endpoint_one',
    sql<{ id: number }>`insert into webhook_endpoint (config_id, address, kinds, secret, created_at)
      values (${configId}, ${address}, ${kinds}, '', ${ctx.now()}) returning id`.execute(ctx.tx),
    () => refusal('webhook.exists'),
  )
  const { id } = only(made)
  await sql`update webhook_endpoint set secret = ${seal(ctx.services.keys, `webhook:${id}`, secret)}
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, { id, merchantId: feed.merchantId }, null, { configId, address, kinds })
  return { id, secret }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editWebhook>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const row = await load(ctx, id)
  const before = { address: row.address, kinds: row.kinds }
  refuseStale(ctx, { version }, row, before, wanted)
  await refusedBy(
    'webhook_endpoint_one',
    sql`update webhook_endpoint set address = ${wanted.address}, kinds = ${wanted.kinds}, rests_until = null,
      version = version + 1 where id = ${id}`.execute(ctx.tx),
    () => refusal('webhook.exists'),
  )
  await audit(ctx, row, before, wanted)
  await announce(ctx.tx, { topic: 'events', webhookId: id })
  return { id }
}

/** Whoever resumes or enables it says that the receiver is there again: its rest is over. */
export async function move(ctx: CommandContext, id: number, verb: 'pause' | 'resume' | 'enable'): Promise<Changed> {
  const row = await load(ctx, id)
  const state = await webhooks.move(ctx.tx, row, verb, {
    failures: 0,
    failingSince: null,
    restsUntil: null,
    endedBy: null,
  })
  await audit(ctx, row, { state: row.state }, { state })
  await announce(ctx.tx, { topic: 'events', webhookId: id })
  return { id }
}

export async function disable(ctx: CommandContext, id: number): Promise<Changed> {
  const row = await load(ctx, id)
  webhooks.must(row, 'disable')
  await endWebhook(ctx.tx, id, null)
  await audit(ctx, row, { state: row.state }, { state: webhookState.to('disable') })
  return { id }
}

export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const row = await load(ctx, id)
  await sql`delete from webhook_endpoint where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, { address: row.address, kinds: row.kinds }, null)
  return { id }
}

/** The one before signs beside it for a day, so that the receiver can change in between. */
export async function rotateSecret(ctx: CommandContext, id: number) {
  const row = await load(ctx, id)
  const secret = newSecret()
  const until = new Date(ctx.now().getTime() + SECRETS_OVERLAP_HOURS * 3_600_000)
  await sql`update webhook_endpoint set secret_before = secret, secret_before_until = ${until},
      secret = ${seal(ctx.services.keys, `webhook:${id}`, secret)}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, null, { secret: 'rotated' })
  return { id, secret }
}

/** 256 bits, told this once and kept sealed, since we sign with it. */
const newSecret = () => SECRET_PREFIX + randomBytes(32).toString('base64')

type Feed = {
  merchantId: number
  merchantName: string
  machineId: number | null
  class: string
  type: string
  n: number
}

async function loadFeed(ctx: CommandContext, configId: number): Promise<Feed> {
  const found = await sql<Feed>`select i.merchant_id as "merchantId", m.name as "merchantName",
      i.machine_id as "machineId", i.child_class as class, i.interface_type as type,
      (select count(*)::int from webhook_endpoint e where e.config_id = i.id) as n
    from integration_config i join merchant m on m.id = i.merchant_id
    where i.id = ${configId} and ${integrationInSight(sightOf(ctx.actor))} for update of i`.execute(ctx.tx)
  const feed = existing(found.rows[0])
  await refuseBeyond(ctx, feed)
  if (feed.class !== 'event_feed') refuse('webhook.noFeed')
  if (feed.type === 'pull') refuse('webhook.pullOnly')
  if (feed.n >= MOST_WEBHOOKS) refuse('webhook.tooMany', { most: MOST_WEBHOOKS })
  return feed
}

/** To be changed, by who sees every machine that it tells of. @throws Refusal integrationConfig.beyond */
export async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`
    select e.id, i.merchant_id as "merchantId", m.name as "merchantName", i.machine_id as "machineId", e.address,
      e.kinds, e.state, e.version
    from webhook_endpoint e join integration_config i on i.id = e.config_id join merchant m on m.id = i.merchant_id
    where e.id = ${id} and ${integrationInSight(sightOf(ctx.actor))} for update of e`.execute(ctx.tx)
  const row = existing(found.rows[0])
  await refuseBeyond(ctx, row)
  return row
}

export const audit = auditAs('webhook')
