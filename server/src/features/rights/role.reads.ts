import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getRole, listRoles, Role } from '@aisle/contract/rights/role'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows, mapRows, type Order } from '../../kernel/list'
import { merchantInSight, type Sight } from '../../kernel/scope'
import { externalCodes } from './external.store'
import { countOf, written } from './grants.rules'

type Filter = InputOf<typeof listRoles>

/** Of merchants in sight; the platform's templates are everybody's to give and to copy. */
const roleInSight = (sight: Sight) => sql<boolean>`(r.is_template or ${merchantInSight(sight, sql`r.merchant_id`)})`

/** Users of other merchants who hold a template are none of the person's business. */
const usersInSight = (sight: Sight) => sql`(select count(*) from user_role ur join app_user u on u.id = ur.user_id
  where ur.role_id = r.id and ${merchantInSight(sight, sql`u.merchant_id`)})`

type Row = Omit<Role, 'permissionCount'> & { grants: string[] }

const originOf = sql`case when r.is_template then 'template' else 'merchant' end`

const columns = (sight: Sight) => sql`r.id, r.name, r.surface, r.type, r.description,
  r.merchant_id as "merchantId", m.name as "merchantName", ${originOf} as origin, r.version,
  ${usersInSight(sight)} as "userCount",
  array(select permission from role_permission where role_id = r.id order by permission) as grants,
  ${sight.kind === 'all' ? sql`true` : sql`not r.is_template`} as "isEditable"`

const byUsers: Order = { by: sql`-"userCount"`, type: 'bigint' }
const orders: Record<Filter['sort'], Order> = {
  name: { by: sql`name`, type: 'text' },
  users: byUsers,
  permissions: byUsers,
}

export function listRolesIn(sight: Sight, filter: Filter): Listing<Role> {
  const rows = sql<Row>`select ${columns(sight)} from role r join merchant m on m.id = r.merchant_id
    where ${roleInSight(sight)} and ${filterOf(filter)}`
  return mapRows(listRows({ rows, order: orders[filter.sort] }), async (found, db) => {
    const external = await externalCodes(db)
    return found.map(({ grants, ...row }) => ({ ...row, permissionCount: countOf(grants, external) }))
  })
}

const filterOf = ({ q, surface, type, origin, merchantId }: Filter): RawBuilder<boolean> =>
  allOf([
    q && sql`(${holds(sql`r.name`, q)} or ${holds(sql`r.description`, q)})`,
    surface && sql`r.surface = ${surface}`,
    isAnyOf(sql`r.type`, type),
    origin && sql`r.is_template = ${origin === 'template'}`,
    merchantId && sql`r.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])

const MOST_HOLDERS = 100

export async function findRoleDetail(
  db: Reader,
  sight: Sight,
  id: number,
): Promise<OutputOf<typeof getRole> | undefined> {
  const found = await sql<Omit<Row, 'sortKey'>>`
    select ${columns(sight)} from role r join merchant m on m.id = r.merchant_id
    where r.id = ${id} and ${roleInSight(sight)}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const external = await externalCodes(db)
  const { grants, ...rest } = row
  const permissions = grants.includes('*') ? ['*'] : written(grants, external)
  const holders = await holdersOf(db, sight, id)
  return { ...rest, permissions, permissionCount: countOf(grants, external), holders }
}

type Holder = OutputOf<typeof getRole>['holders'][number]

export async function holdersOf(db: Reader, sight: Sight, roleId: number): Promise<Holder[]> {
  const found = await sql<Holder>`
    select u.id, u.account, u.display_name as "displayName", m.name as "merchantName"
    from user_role ur join app_user u on u.id = ur.user_id join merchant m on m.id = u.merchant_id
    where ur.role_id = ${roleId} and ${merchantInSight(sight, sql`u.merchant_id`)}
    order by u.account limit ${sql.lit(MOST_HOLDERS)}`.execute(db)
  return found.rows
}

export type RoleInSight = {
  id: number
  name: string
  surface: 'web' | 'app'
  type: Role['type']
  description: string
  merchantId: number
  isTemplate: boolean
  version: number
  grants: string[]
  isEditable: boolean
}

/** Not there and not yours are one answer. @param how `lock` where the row is about to be changed */
export async function findInSight(
  db: Reader,
  sight: Sight,
  id: number,
  how: 'read' | 'lock' = 'read',
): Promise<RoleInSight | undefined> {
  const found = await sql<RoleInSight>`
    select r.id, r.name, r.surface, r.type, r.description, r.merchant_id as "merchantId",
      r.is_template as "isTemplate", r.version,
      array(select permission from role_permission where role_id = r.id order by permission) as grants,
      ${sight.kind === 'all' ? sql`true` : sql`not r.is_template`} as "isEditable"
    from role r where r.id = ${id} and ${roleInSight(sight)} ${how === 'lock' ? sql`for update` : sql``}`.execute(db)
  return found.rows[0]
}

export type Assignable = {
  id: number
  name: string
  surface: 'web' | 'app'
  type: Role['type']
  isTemplate: boolean
  permissions: string[]
}

/** What users of a merchant may be given: its own roles and the platform's templates. */
export async function rolesFor(db: Reader, merchantId: number): Promise<Assignable[]> {
  const found = await sql<Assignable>`
    select r.id, r.name, r.surface, r.type, r.is_template as "isTemplate",
      array(select permission from role_permission where role_id = r.id order by permission) as permissions
    from role r where r.merchant_id = ${merchantId} or r.is_template
    order by r.is_template, r.surface desc, r.name`.execute(db)
  return found.rows
}

/** Users for whom something changes at once when the role does. */
export async function holderIds(db: Reader, roleId: number): Promise<number[]> {
  const found = await sql<{ id: number }>`select user_id as id from user_role where role_id = ${roleId}`.execute(db)
  return found.rows.map(({ id }) => id)
}
