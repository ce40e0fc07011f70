import { randomBytes } from 'node:crypto'
import * as contract from '@aisle/contract/fleet/officialAccount'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { publicAddress } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { CommandContext, QueryContext } from '../../../kernel/context'
import { kept } from '../../../kernel/kept'
import { only } from '../../../kernel/must'
import { refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { machineInSight, sightOf } from '../../../kernel/scope'
import { seal } from '../../../kernel/seal'
import { atSite, settingOf } from '../../../kernel/settings'
import { groupInSight } from '../group/group.members'
import { callbackPath, tokenAbout } from './accountCallback.routes'

const templateOf = (name: contract.AccountTemplate) =>
  sql`coalesce(official_account.templates ->> ${sql.lit(name)}, '')`

/** The secret is read nowhere but to be replaced: lists say only whether there is one. */
const accounts = kept(contract.officialAccount, {
  table: 'officialAccount',
  facts: (sight) => ({
    hasSecret: sql`official_account.sealed_secret is not null`,
    templateCount: sql`(select count(*)::int from jsonb_object_keys(official_account.templates - 'pickupCode'))`,
    machineCount: sql`(select count(*)::int from official_account_machine s
      where s.account_id = official_account.id and ${machineInSight(sight, sql`s.machine_id`)})`,
  }),
  shown: {
    paidTemplate: templateOf('paid'),
    shippedTemplate: templateOf('shipped'),
    refundedTemplate: templateOf('refunded'),
    pickupCodeTemplate: templateOf('pickupCode'),
  },
  columns: async (_, typed) => ({ templates: JSON.stringify(templatesIn(typed)) }),
  search: ['name', 'appId'],
  orders: { machines: { by: sql`-"machineCount"`, type: 'bigint' } },
  uses: (id) => sql`select m.code as name from official_account_machine s
    join machine m on m.id = s.machine_id where s.account_id = ${id} order by 1`,
})

export const routes: Route[] = [
  ...listOf(contract.listOfficialAccounts, accounts.list),
  query(contract.getOfficialAccount, findDetail),
  command(contract.addOfficialAccount, keeping(accounts.add)),
  command(contract.editOfficialAccount, keeping(accounts.edit)),
  command(contract.stopOfficialAccount, accounts.move('stop')),
  command(contract.resumeOfficialAccount, accounts.move('resume')),
  command(contract.removeOfficialAccount, accounts.remove),
  command(contract.makeAccountToken, makeToken, 'nothing'),
  command(contract.showAccount, show),
  command(contract.hideAccount, hide),
]

type Wanted = Pick<
  InputOf<typeof contract.addOfficialAccount>,
  'paidTemplate' | 'shippedTemplate' | 'refundedTemplate' | 'pickupCodeTemplate'
>

/** Only what is told has a template. */
function templatesIn(wanted: Wanted): Partial<Record<contract.AccountTemplate, string>> {
  const all = contract.accountTemplates.map((name) => [name, wanted[`${name}Template`]] as const)
  return Object.fromEntries(all.filter(([, template]) => template !== ''))
}

type Detail = OutputOf<typeof contract.getOfficialAccount>
const MOST_SHOWN = 200

async function findDetail(ctx: QueryContext, { id }: { id: number }): Promise<Detail> {
  const found = await accounts.get(ctx, { id })
  const machines = await sql<Detail['machines'][number]>`
    select m.id, m.code, m.name, p.name as "pointName" from official_account_machine s
    join machine m on m.id = s.machine_id join point p on p.id = m.point_id
    where s.account_id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)} order by m.code
    limit ${sql.lit(MOST_SHOWN)}`.execute(ctx.db)
  const more = await sql<Pick<Detail, 'hasToken' | 'followers' | 'failed'> & { key: string }>`
    select o.notify_key as key, o.sealed_token is not null as "hasToken",
      (select count(*)::int from account_follower where account_id = o.id and is_following) as followers,
      (select count(*)::int from outbox_message where account_id = o.id and state = 'failed') as failed
    from official_account o where o.id = ${id}`.execute(ctx.db)
  const { key, ...rest } = only(more)
  const site = await settingOf(ctx.db, publicAddress, null)
  const callbackAddress = atSite(site, callbackPath(key))
  return { ...found, ...rest, machines: machines.rows, callbackAddress }
}

/** The secret is typed with it, and sealed under its id. */
function keeping<I extends { secret: string | null }>(
  save: (ctx: CommandContext, input: Omit<I, 'secret'>) => Promise<{ id: number }>,
) {
  return async (ctx: CommandContext, { secret, ...input }: I) => {
    const { id } = await save(ctx, input)
    if (secret !== null) await keepSecret(ctx, id, secret)
    return { id }
  }
}

async function keepSecret(ctx: CommandContext, id: number, secret: string): Promise<void> {
  const account = await accounts.load(ctx, id)
  const sealedSecret = seal(ctx.services.keys, `officialAccount:${id}`, secret)
  const change = { sealedSecret, sealedAccess: null, accessUntil: null }
  await ctx.tx.updateTable('officialAccount').set(change).where('id', '=', id).execute()
  const hadOne = account.sealedSecret !== null
  await accounts.audit(ctx, account, null, hadOne ? { secret: 'replaced' } : { hasSecret: true })
}

/** What signs WeChat's calls to us from now on, shown once; whatever was there signs no more. */
async function makeToken(ctx: CommandContext, { id }: { id: number }) {
  const account = await accounts.load(ctx, id)
  const token = randomBytes(16).toString('hex')
  const sealedToken = seal(ctx.services.keys, tokenAbout(id), token)
  await ctx.tx.updateTable('officialAccount').set({ sealedToken }).where('id', '=', id).execute()
  await accounts.audit(ctx, account, null, { token: 'replaced' })
  return { token }
}

type Shown = { id: number; isForeign: boolean }

async function show(ctx: CommandContext, input: InputOf<typeof contract.showAccount>): Promise<{ shown: number }> {
  const { id, machineIds, groupId } = input
  const account = await accounts.load(ctx, id)
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
  await accounts.audit(ctx, account, null, { shown, machineIds: ids.slice(0, 200) })
  return { shown }
}

async function hide(ctx: CommandContext, input: InputOf<typeof contract.hideAccount>): Promise<{ hidden: number }> {
  const { id, machineIds } = input
  const account = await accounts.load(ctx, id)
  const inSight = machineInSight(sightOf(ctx.actor), sql`m.id`)
  const found = await sql<{ id: number }>`select m.id from machine m
    where m.id = any(${machineIds}::bigint[]) and ${inSight}`.execute(ctx.tx)
  if (found.rows.length !== new Set(machineIds).size) refuse('request.notFound')
  const gone = await sql`delete from official_account_machine
    where account_id = ${id} and machine_id = any(${machineIds}::bigint[])`.execute(ctx.tx)
  const hidden = Number(gone.numAffectedRows ?? 0n)
  await accounts.audit(ctx, account, null, { hidden, machineIds: machineIds.slice(0, 200) })
  return { hidden }
}
