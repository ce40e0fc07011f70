import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type * as contract from '@aisle/contract/rights/menu'
import { menuIcons } from '@aisle/contract/menu'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { menuPlanOf, placedItems, SHIPPED_STEP } from '../identity/public'
import { mayHold } from './menu.rules'
import { findOwn, merchantToArrange } from './menu.reads'
import { filled } from './titles.rules'

/** Hiding takes an entry from menus and no right from anybody: its page opens by its address as before. */
export async function edit(
  ctx: CommandContext,
  { merchantId, key, version, titles, icon, isHidden }: InputOf<typeof contract.editMenuItem>,
): Promise<OutputOf<typeof contract.editMenuItem>> {
  await toArrange(ctx, merchantId)
  const items = placedItems(await menuPlanOf(ctx.tx, merchantId))
  if (!items.some((item) => item.key === key)) refuse('menu.unknown')
  if (icon !== null && !menuIcons.some((each) => each === icon)) refuse('menu.unknown')
  const row = await findOwn(ctx.tx, merchantId, key)
  const before = row ? { titles: row.titles, icon: row.icon, isHidden: row.isHidden } : null
  const wanted = { titles: filled(titles), icon, isHidden }
  refuseStale(ctx, { version }, { version: row?.version ?? 0 }, before ?? {}, wanted)
  await sql`insert into menu_change (merchant_id, key, titles, icon, is_hidden)
    values (${merchantId}, ${key}, ${JSON.stringify(wanted.titles)}, ${icon}, ${isHidden})
    on conflict (merchant_id, key) do update set titles = excluded.titles, icon = excluded.icon,
      is_hidden = excluded.is_hidden, version = menu_change.version + 1`.execute(ctx.tx)
  await noted(ctx, merchantId, key, before, wanted)
  return { version: (row?.version ?? 0) + 1 }
}

async function toArrange(ctx: CommandContext, merchantId: number): Promise<void> {
  if (!(await merchantToArrange(ctx.tx, sightOf(ctx.actor), merchantId))) refuse('request.notFound')
  // Two who arrange at once would number the same group twice.
  await sql`select from merchant where id = ${merchantId} for no key update`.execute(ctx.tx)
}

type Facts = Record<string, unknown> | null

/** Menus of everybody at the merchant and below change with the commit. */
async function noted(ctx: CommandContext, merchantId: number, key: string, before: Facts, after: Facts): Promise<void> {
  await ctx.audit({ merchantId, objectKind: 'menu', objectId: key, before, after })
  const signedIn = await sql<{ id: number }>`select distinct s.user_id as id from session s
    join app_user u on u.id = s.user_id join merchant m on m.id = u.merchant_id
    where s.ended_at is null and m.path @> array[${merchantId}]::bigint[] limit 1000`.execute(ctx.tx)
  const userIds = signedIn.rows.map(({ id }) => id)
  if (userIds.length > 0) await announce(ctx.tx, { topic: 'rights', userIds: userIds.length < 1000 ? userIds : [] })
}

/** Puts the named entries below `parent` in their order, and those that stood there and are not named behind them. */
export async function arrange(
  ctx: CommandContext,
  { merchantId, parent, keys }: InputOf<typeof contract.arrangeMenu>,
): Promise<OutputOf<typeof contract.arrangeMenu>> {
  await toArrange(ctx, merchantId)
  const items = placedItems(await menuPlanOf(ctx.tx, merchantId))
  const find = (key: string) => items.find((item) => item.key === key) ?? refuse('menu.unknown')
  const holder = parent === null ? null : find(parent)
  const named = [...new Set(keys)].map(find)
  if (!named.every(({ kind }) => mayHold(holder?.kind ?? null, kind))) refuse('menu.wrongHolder')
  const stayed = items.filter((item) => item.parent === parent && !named.includes(item))
  const before = items.filter((item) => item.parent === parent).map(({ key }) => key)
  const after = [...named, ...stayed].map(({ key }) => key)
  await sql`insert into menu_change (merchant_id, key, parent, sort)
    select ${merchantId}, key, ${parent}, at * ${SHIPPED_STEP}::int
    from unnest(${after}::text[]) with ordinality as arranged(key, at)
    on conflict (merchant_id, key) do update set parent = excluded.parent, sort = excluded.sort,
      version = menu_change.version + 1`.execute(ctx.tx)
  await noted(ctx, merchantId, parent ?? 'top', { keys: before }, { keys: after })
  return {}
}

/** As it stands above, at last as it was shipped. */
export async function reset(
  ctx: CommandContext,
  { merchantId, key }: InputOf<typeof contract.resetMenu>,
): Promise<OutputOf<typeof contract.resetMenu>> {
  await toArrange(ctx, merchantId)
  const gone = await sql<{ key: string }>`delete from menu_change where merchant_id = ${merchantId}
    and ${key ? sql`key = ${key}` : sql`true`} returning key`.execute(ctx.tx)
  await noted(ctx, merchantId, key || 'all', { changed: gone.rows.map((row) => row.key) }, null)
  return { changed: gone.rows.length }
}
