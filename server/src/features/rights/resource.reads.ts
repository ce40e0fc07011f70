import { grantsGiving } from '@aisle/contract/identity/permissions'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { nounOf, permissionOf, permissions } from '@aisle/contract/permissions'
import type { getResource, listResources, Resource } from '@aisle/contract/rights/resource'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { word } from '../../kernel/words'
import { allExternal, type External } from './external.store'
import { nameOfPermission, titleOfGroup } from './permission.words'
import { titleIn } from './titles.rules'

type Filter = InputOf<typeof listResources>

/** Every resource with who holds it: some two hundred, so the list is made whole and then cut. */
export async function resources(ctx: QueryContext, filter: Filter): Promise<Resource[]> {
  const external = await allExternal(ctx.db)
  const codes = [...permissions, ...external].map(({ code }) => code)
  const tallies = await countHolders(ctx.db, sightOf(ctx.actor), codes)
  const rows = chosen(ctx, filter, external, tallies)
  if (filter.sort === 'name') return rows.sort((a, b) => a.name.localeCompare(b.name, ctx.language))
  return filter.sort === 'users' ? rows.sort((a, b) => b.userCount - a.userCount) : rows
}

/** How many there are says nothing of who holds them. */
export const countResources = async (ctx: QueryContext, filter: Filter): Promise<number> =>
  chosen(ctx, filter, await allExternal(ctx.db), new Map()).length

type Tallies = ReadonlyMap<string, Tally>

function chosen(ctx: QueryContext, filter: Filter, external: readonly External[], tallies: Tallies): Resource[] {
  const own = permissions.map(({ code }) => rowOf(ctx, code, tallies))
  const others = external.map((each) => rowOfExternal(ctx, each, tallies))
  const wanted = filter.q?.toLowerCase() ?? ''
  return [...own, ...others].filter(
    (row) =>
      (!filter.kind || row.kind === filter.kind) &&
      (!filter.state || row.state === filter.state) &&
      `${row.name} ${row.code} ${row.group}`.toLowerCase().includes(wanted),
  )
}

type Tally = { roles: number; users: number }

/**
 * How many roles in sight hold each code, and how many users in sight hold one of those. Who holds everything is
 * counted once for all codes: of such there may be thousands.
 */
async function countHolders(db: Reader, sight: Sight, codes: readonly string[]): Promise<Tallies> {
  const granting = codes.flatMap((code) =>
    grantsGiving(code)
      .filter((each) => each !== '*')
      .map((permission) => ({ code, permission })),
  )
  const found = await sql<Tally & { code: string }>`
    with held as materialized (
      select p.role_id, p.permission from role r join role_permission p on p.role_id = r.id where ${isShown(sight)}
    ), holding as materialized (
      select ur.role_id, ur.user_id from user_role ur join app_user u on u.id = ur.user_id
      where ${merchantInSight(sight, sql`u.merchant_id`)}
    ), every_role as materialized (select role_id from held where permission = '*'
    ), every_user as materialized (select distinct user_id from holding natural join every_role
    ), one as materialized (
      select code, role_id from unnest(${granting.map(({ code }) => code)}::text[],
        ${granting.map(({ permission }) => permission)}::text[]) granting(code, permission)
      join held using (permission)
      where role_id not in (select role_id from every_role) group by 1, 2
    ), by_role as (select code, count(*) as count from one group by 1
    ), by_user as (
      select code, count(distinct user_id) as count from one natural join holding
      where user_id not in (select user_id from every_user) group by 1)
    select asked.code, ((select count(*) from every_role) + coalesce(by_role.count, 0))::int as roles,
      ((select count(*) from every_user) + coalesce(by_user.count, 0))::int as users
    from unnest(${[...codes]}::text[]) asked(code)
    left join by_role using (code) left join by_user using (code)`.execute(db)
  return new Map(found.rows.map(({ code, ...tally }) => [code, tally]))
}

/** Templates are everybody's. */
const isShown = (sight: Sight) => sql`(r.is_template or ${merchantInSight(sight, sql`r.merchant_id`)})`

/** Roles in sight that grant one code, by merchant. */
async function holdersOf(db: Reader, sight: Sight, code: string): Promise<Detail['roles']> {
  const found = await sql<Detail['roles'][number]>`
    select r.id, r.name, m.name as "merchantName" from role r join merchant m on m.id = r.merchant_id
    where ${isShown(sight)} and exists (select from role_permission p
      where p.role_id = r.id and p.permission = any(${grantsGiving(code)}::text[]))
    order by m.path, r.name`.execute(db)
  return found.rows
}

function facts({ actor }: QueryContext, code: string, tallies: Tallies) {
  const tally = tallies.get(code)
  return {
    code,
    state: actor.switchedOff.includes(code) ? ('off' as const) : ('on' as const),
    roleCount: tally?.roles ?? 0,
    userCount: tally?.users ?? 0,
  }
}

function rowOf(ctx: QueryContext, code: string, tallies: Tallies): Resource {
  const known = permissionOf(code)
  return {
    id: code,
    ...facts(ctx, code, tallies),
    name: nameOfPermission(ctx.language, code),
    kind: 'function',
    group: titleOfGroup(ctx.language, code),
    pageCount: known?.screens.length ?? 0,
    callCount: known?.endpoints.length ?? 0,
    url: null,
  }
}

function rowOfExternal(ctx: QueryContext, { code, titles, url, menuGroup }: External, tallies: Tallies) {
  return {
    id: code,
    ...facts(ctx, code, tallies),
    name: titleIn(titles, ctx.language),
    kind: 'external' as const,
    group: menuGroup
      ? word(ctx.language, 'screens', `group.${menuGroup}`)
      : word(ctx.language, 'rights', 'group.external'),
    pageCount: 0,
    callCount: 0,
    url,
  }
}

type Detail = OutputOf<typeof getResource>

export async function resourceOf(ctx: QueryContext, code: string): Promise<Detail | undefined> {
  const known = permissionOf(code)
  const external = (await allExternal(ctx.db)).find((each) => each.code === code)
  if (!known && !external) return undefined
  const sight = sightOf(ctx.actor)
  const tallies = await countHolders(ctx.db, sight, [code])
  return {
    ...(external ? rowOfExternal(ctx, external, tallies) : rowOf(ctx, code, tallies)),
    pages: (known?.screens ?? []).map(({ key, path }) => ({ path, title: word(ctx.language, 'screens', key) })),
    calls: (known?.endpoints ?? []).map(({ name, method, path }) => ({ name, method, path })),
    roles: await holdersOf(ctx.db, sight, code),
    off: await findOff(ctx.db, code),
    isEssential: isEssential(code),
    external: external ? detailOf(external) : null,
  }
}

const detailOf = ({ id, titles, description, menuGroup, version }: External): Detail['external'] => ({
  id,
  titles,
  description,
  menuGroup,
  version,
})

/** With these switched off nobody could switch anything on again, or give anybody a right to. */
const essential: ReadonlySet<string> = new Set(['resource', 'role', 'menu'])
export const isEssential = (code: string): boolean => essential.has(nounOf(code))

async function findOff(db: Reader, code: string): Promise<Detail['off']> {
  const found = await sql<{ reason: string; at: Date; by: string }>`
    select o.reason, o.off_at as at, u.display_name as by from resource_off o join app_user u on u.id = o.off_by
    where o.code = ${code}`.execute(db)
  const [row] = found.rows
  return row ? { ...row, at: row.at.toISOString() } : null
}
