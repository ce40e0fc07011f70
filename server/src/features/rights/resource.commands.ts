import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { menuItemOf } from '@aisle/contract/menu'
import { permissionOf } from '@aisle/contract/permissions'
import type * as contract from '@aisle/contract/rights/resource'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { existing, refuse } from '../../kernel/refuse'
import { isPlatform, platformRow } from '../../kernel/scope'
import { type External, externalCodes, lockExternal } from './external.store'
import { nameOfPermission } from './permission.words'
import { isEssential } from './resource.reads'
import { filled, titleIn } from './titles.rules'

/** Resources are the platform's: what is switched here holds for every merchant. */
function refuseOthers(ctx: CommandContext, name: string): void {
  if (!isPlatform(ctx)) refuse('role.protected', { name })
}

async function switchable(ctx: CommandContext, code: string): Promise<string> {
  const isKnown = permissionOf(code) !== undefined || (await externalCodes(ctx.tx)).includes(code)
  if (!isKnown) refuse('resource.unknown')
  const name = nameOfPermission(ctx.language, code)
  refuseOthers(ctx, name)
  return name
}

/** Refused to everybody from the commit on; menus of open browsers lose it at once. */
export async function turnOff(
  ctx: CommandContext,
  { code, reason }: InputOf<typeof contract.switchOff>,
): Promise<OutputOf<typeof contract.switchOff>> {
  const name = await switchable(ctx, code)
  if (isEssential(code)) refuse('resource.essential', { name })
  const done = await sql`insert into resource_off (code, reason, off_at, off_by)
    values (${code}, ${reason}, ${ctx.now()}, ${ctx.actor.userId}) on conflict do nothing`.execute(ctx.tx)
  if (done.numAffectedRows === 0n) refuse('resource.state', { name })
  await noted(ctx, code, { state: 'on' }, { state: 'off', reason })
  return {}
}

export async function turnOn(
  ctx: CommandContext,
  { code }: InputOf<typeof contract.switchOn>,
): Promise<OutputOf<typeof contract.switchOn>> {
  const name = await switchable(ctx, code)
  const done = await sql`delete from resource_off where code = ${code}`.execute(ctx.tx)
  if (done.numAffectedRows === 0n) refuse('resource.state', { name })
  await noted(ctx, code, { state: 'off' }, { state: 'on' })
  return {}
}

type Facts = Record<string, unknown> | null

/** Anybody may hold it, so everybody's browser looks again. */
async function noted(ctx: CommandContext, code: string, before: Facts, after: Facts): Promise<void> {
  await ctx.audit({ merchantId: ctx.actor.merchantId, objectKind: 'resource', objectId: code, before, after })
  await announce(ctx.tx, { topic: 'rights', userIds: [] })
}

export async function addExternal(
  ctx: CommandContext,
  { code, ...wanted }: InputOf<typeof contract.createExternal>,
): Promise<OutputOf<typeof contract.createExternal>> {
  const facts = factsOf(wanted)
  refuseOthers(ctx, titleIn(facts.titles, ctx.language))
  const made = await sql<{ id: number }>`
    insert into external_resource (code, titles, url, description, menu_group)
    values (${code}, ${JSON.stringify(facts.titles)}, ${facts.url}, ${facts.description}, ${facts.menuGroup})
    on conflict (code) do nothing returning id`.execute(ctx.tx)
  const id = made.rows[0]?.id ?? refuse('resource.codeTaken', { code })
  await noted(ctx, code, null, facts)
  return { id, code }
}

type Editable = Pick<External, 'titles' | 'url' | 'description' | 'menuGroup'>

function factsOf({ titles, url, description, menuGroup }: Editable): Editable {
  if (menuGroup !== null && menuItemOf(`group:${menuGroup}`) === undefined) refuse('menu.unknown')
  return { titles: filled(titles), url, description, menuGroup }
}

/** Whoever is not of the platform is told nothing of it. */
async function own(ctx: CommandContext, id: number): Promise<External> {
  platformRow(ctx)
  return existing(await lockExternal(ctx.tx, id))
}

export async function changeExternal(
  ctx: CommandContext,
  { id, version, ...wanted }: InputOf<typeof contract.editExternal>,
): Promise<OutputOf<typeof contract.editExternal>> {
  const row = await own(ctx, id)
  const facts = factsOf(wanted)
  const { titles, url, description, menuGroup } = row
  const before = { titles, url, description, menuGroup }
  refuseStale(ctx, { version }, row, before, facts)
  await sql`update external_resource set titles = ${JSON.stringify(facts.titles)}, url = ${facts.url},
    description = ${facts.description}, menu_group = ${facts.menuGroup}, version = version + 1
    where id = ${id}`.execute(ctx.tx)
  await noted(ctx, row.code, before, facts)
  return { version: row.version + 1 }
}

export async function removeExternal(
  ctx: CommandContext,
  { id }: InputOf<typeof contract.deleteExternal>,
): Promise<OutputOf<typeof contract.deleteExternal>> {
  const { code, titles, url } = await own(ctx, id)
  const held = await sql<{ name: string }>`select r.name || ' (' || m.name || ')' as name
    from role_permission p join role r on r.id = p.role_id join merchant m on m.id = r.merchant_id
    where p.permission = ${code} order by 1 limit 21`.execute(ctx.tx)
  refuseInUse(held.rows.map(({ name }) => name))
  await sql`delete from external_resource where id = ${id}`.execute(ctx.tx)
  await sql`delete from resource_off where code = ${code}`.execute(ctx.tx)
  await sql`delete from menu_change where key = ${`external:${id}`}`.execute(ctx.tx)
  await noted(ctx, code, { titles, url }, null)
  return {}
}
