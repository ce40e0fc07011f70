import { isGranted } from '@aisle/contract/identity/permissions'
import type { InputOf, OutputOf, Permission } from '@aisle/contract/kernel/endpoint'
import { nounOf, permissionOf, permissions } from '@aisle/contract/permissions'
import type { getResource, listResources, Resource } from '@aisle/contract/rights/resource'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { grouped } from '../../kernel/must'
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
  const tallies = talliesOf(await holdingRoles(ctx.db, sightOf(ctx.actor)), codes)
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

type Holding = { id: number; name: string; merchantName: string; grants: string[]; userIds: number[] }

/** Roles in sight with what they grant and which users in sight hold them. */
async function holdingRoles(db: Reader, sight: Sight): Promise<Holding[]> {
  const found = await sql<Holding>`
    select r.id, r.name, m.name as "merchantName",
      array(select permission from role_permission where role_id = r.id) as grants,
      array(select u.id from user_role ur join app_user u on u.id = ur.user_id
        where ur.role_id = r.id and ${merchantInSight(sight, sql`u.merchant_id`)})::bigint[] as "userIds"
    from role r join merchant m on m.id = r.merchant_id
    where r.is_template or ${merchantInSight(sight, sql`r.merchant_id`)} order by m.path, r.name`.execute(db)
  return found.rows
}

const holders = (all: readonly Holding[], code: string) =>
  all.filter(({ grants }) => isGranted(grants, code as Permission))

type Tally = { roles: number; users: number }

/**
 * How many roles and users hold each code. Roles that grant the same are counted together, and so are users who hold
 * the same roles of those: few of either differ, however many there are.
 */
function talliesOf(all: readonly Holding[], codes: readonly string[]): Tallies {
  const tallies = new Map(codes.map((code): [string, Tally] => [code, { roles: 0, users: 0 }]))
  const add = (grants: readonly string[], kind: keyof Tally, count: number) => {
    for (const [code, tally] of tallies) if (isGranted(grants, code as Permission)) tally[kind] += count
  }
  const granting = grouped(all, ({ grants }) => grants.toSorted().join(' '))
  const held = new Map<number, string[]>()
  for (const [granted, roles] of granting) {
    add(granted.split(' '), 'roles', roles.length)
    for (const id of new Set(roles.flatMap(({ userIds }) => userIds))) held.set(id, [...(held.get(id) ?? []), granted])
  }
  for (const [granted, people] of grouped([...held.values()], (each) => each.join(' '))) {
    add(granted.split(' '), 'users', people.length)
  }
  return tallies
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
  const all = await holdingRoles(ctx.db, sightOf(ctx.actor))
  const tallies = talliesOf(all, [code])
  return {
    ...(external ? rowOfExternal(ctx, external, tallies) : rowOf(ctx, code, tallies)),
    pages: (known?.screens ?? []).map(({ key, path }) => ({ path, title: word(ctx.language, 'screens', key) })),
    calls: (known?.endpoints ?? []).map(({ name, method, path }) => ({ name, method, path })),
    roles: holders(all, code).map(({ id, name, merchantName }) => ({ id, name, merchantName })),
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
