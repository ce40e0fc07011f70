import { randomBytes } from 'node:crypto'
import {
  type addOfficialAccount,
  type editOfficialAccount,
  type hideAccount,
  type makeAccountToken,
  officialAccountState,
  type showAccount,
} from '@aisle/contract/fleet/officialAccount'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { refuseInUse, refuseStale } from '../../../kernel/edit'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { seal } from '../../../kernel/seal'
import { tokenAbout } from './accountCallback.routes'
import { groupInSight } from '../group/group.members'
import { type AccountRow, findForUpdate, type Templates, templateFields, usesOf } from './officialAccount.reads'

type Changed = { id: number }
type Wanted = Omit<InputOf<typeof editOfficialAccount>, 'id' | 'version' | 'secret'>

export async function add(ctx: CommandContext, input: InputOf<typeof addOfficialAccount>): Promise<Changed> {
  const { merchantId, platform, appId, secret, ...wanted } = input
  const made = await refusedBy(
    'official_account_platform_app_id_key',
    sql<Changed>`insert into official_account
        (merchant_id, platform, app_id, name, link, must_follow, templates, created_at)
      select c.id, ${platform}, ${appId}, ${wanted.name}, ${wanted.link}, ${wanted.mustFollow}::boolean,
        ${JSON.stringify(templatesIn(wanted))}::jsonb, ${ctx.now()}
      from merchant c where c.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`c.id`)}
      returning id`.execute(ctx.tx),
    () => refusal('officialAccount.taken', { appId }),
  )
  const id = existing(made.rows[0]).id
  await keepSecret(ctx, id, secret)
  await audit(ctx, { id, merchantId }, null, { platform, appId, hasSecret: secret !== null, ...wanted })
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editOfficialAccount>): Promise<Changed> {
  const { id, version, secret, ...wanted } = input
  const account = await load(ctx, id)
  const before = editableOf(account)
  refuseStale(ctx, { version }, account, before, wanted)
  await sql`update official_account set name = ${wanted.name}, link = ${wanted.link},
      must_follow = ${wanted.mustFollow}, templates = ${JSON.stringify(templatesIn(wanted))}::jsonb,
      version = version + 1 where id = ${id}`.execute(ctx.tx)
  await keepSecret(ctx, id, secret)
  await audit(ctx, account, before, secret === null ? wanted : { ...wanted, secret: 'replaced' })
  return { id }
}

async function keepSecret(ctx: CommandContext, id: number, secret: string | null): Promise<void> {
  if (secret === null) return
  const sealed = seal(ctx.services.keys, `officialAccount:${id}`, secret)
  await sql`update official_account set sealed_secret = ${sealed}, sealed_access = null,
    access_until = null where id = ${id}`.execute(ctx.tx)
}

/** What signs WeChat's calls to us from now on, shown once; whatever was there signs no more. */
export async function makeToken(ctx: CommandContext, id: number): Promise<OutputOf<typeof makeAccountToken>> {
  const account = await load(ctx, id)
  const token = randomBytes(16).toString('hex')
  const sealed = seal(ctx.services.keys, tokenAbout(id), token)
  await sql`update official_account set sealed_token = ${sealed} where id = ${id}`.execute(ctx.tx)
  await audit(ctx, account, null, { token: 'replaced' })
  return { token }
}

export async function move(ctx: CommandContext, id: number, verb: 'stop' | 'resume'): Promise<Changed> {
  const account = await load(ctx, id)
  if (!officialAccountState.can(account.state, verb)) refuse('officialAccount.state', { name: account.name })
  const state = officialAccountState.to(verb)
  await sql`update official_account set state = ${state}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, account, { state: account.state }, { state })
  return { id }
}

export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const account = await load(ctx, id)
  refuseInUse(await usesOf(ctx.tx, id))
  await sql`delete from official_account where id = ${id}`.execute(ctx.tx)
  await audit(ctx, account, editableOf(account), null)
  return { id }
}

type Shown = { id: number; isForeign: boolean }

export async function show(ctx: CommandContext, input: InputOf<typeof showAccount>): Promise<{ shown: number }> {
  const { id, machineIds, groupId } = input
  const account = await load(ctx, id)
  const sight = sightOf(ctx.actor)
  if (groupId !== null && !(await groupInSight(ctx.tx, sight, groupId))) refuse('request.notFound')
  const named = [...new Set(machineIds)]
  const found = await sql<Shown>`
    select m.id, not c.path @> array[${account.merchantId}]::bigint[] as "isForeign"
    from machine m join merchant c on c.id = m.merchant_id
    where (m.id = any(${named}::bigint[]) or m.id in (
        select machine_id from machine_group_member where group_id = ${groupId}::bigint))
      and m.retired_at is null and ${machineInSight(sight, sql`m.id`)} order by m.id`.execute(ctx.tx)
  const ids = found.rows.map((each) => each.id)
  if (named.some((each) => !ids.includes(each))) refuse('request.notFound')
  if (found.rows.some(({ isForeign }) => isForeign)) refuse('officialAccount.otherMerchant')
  const kept = await sql`insert into official_account_machine as s (machine_id, platform, account_id)
    select unnest(${ids}::bigint[]), ${account.platform}, ${id}
    on conflict (machine_id, platform) do update set account_id = excluded.account_id
      where s.account_id <> excluded.account_id`.execute(ctx.tx)
  const shown = Number(kept.numAffectedRows ?? 0n)
  await audit(ctx, account, null, { shown, machineIds: ids.slice(0, 200) })
  return { shown }
}

export async function hide(ctx: CommandContext, input: InputOf<typeof hideAccount>): Promise<{ hidden: number }> {
  const { id, machineIds } = input
  const account = await load(ctx, id)
  const inSight = machineInSight(sightOf(ctx.actor), sql`m.id`)
  const found = await sql<{ id: number }>`select m.id from machine m
    where m.id = any(${machineIds}::bigint[]) and ${inSight}`.execute(ctx.tx)
  if (found.rows.length !== new Set(machineIds).size) refuse('request.notFound')
  const gone = await sql`delete from official_account_machine
    where account_id = ${id} and machine_id = any(${machineIds}::bigint[])`.execute(ctx.tx)
  const hidden = Number(gone.numAffectedRows ?? 0n)
  await audit(ctx, account, null, { hidden, machineIds: machineIds.slice(0, 200) })
  return { hidden }
}

/** Only what is told has a template. */
function templatesIn(wanted: Wanted): Templates {
  const { paidTemplate, shippedTemplate, refundedTemplate, pickupCodeTemplate } = wanted
  const all = {
    paid: paidTemplate,
    shipped: shippedTemplate,
    refunded: refundedTemplate,
    pickupCode: pickupCodeTemplate,
  }
  return Object.fromEntries(Object.entries(all).filter(([, id]) => id !== ''))
}

const load = async (ctx: CommandContext, id: number): Promise<AccountRow> =>
  existing(await findForUpdate(ctx.tx, sightOf(ctx.actor), id))

const editableOf = ({ name, link, mustFollow, templates }: AccountRow): Wanted => ({
  name,
  link,
  mustFollow,
  ...templateFields(templates),
})

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'officialAccount', objectId: id, before, after })
