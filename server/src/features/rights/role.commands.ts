import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { isCovered } from '@aisle/contract/identity/permissions'
import type { copyRole, createRole, deleteRole, editRole, setPermissions } from '@aisle/contract/rights/role'
import { sql } from 'kysely'
import { announce } from '../../kernel/announce'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { notHeld, wantedGrants, written } from './grants.rules'
import { externalCodes } from './external.store'
import { nameOfPermission } from './permission.words'
import { findInSight, holderIds, holdersOf, type RoleInSight } from './role.reads'
import { putGrants } from './role.store'

/** Nobody makes a template but the platform; a role may stand at any merchant in sight. */
export async function create(
  ctx: CommandContext,
  { merchantId = ctx.actor.merchantId, ...role }: InputOf<typeof createRole>,
): Promise<OutputOf<typeof createRole>> {
  const sight = sightOf(ctx.actor)
  const found = await sql<{ isRoot: boolean }>`select m.parent_id is null as "isRoot" from merchant m
    where m.id = ${merchantId} and ${merchantInSight(sight, sql`m.id`)}`.execute(ctx.tx)
  const merchant = existing(found.rows[0])
  if (role.isTemplate && !merchant.isRoot) refuse('role.protected', { name: role.name })
  return { id: await insert(ctx, { ...role, merchantId }, []) }
}

type NewRole = Pick<RoleInSight, 'name' | 'surface' | 'type' | 'description' | 'merchantId' | 'isTemplate'>

async function insert(ctx: CommandContext, role: NewRole, grants: readonly string[]): Promise<number> {
  const { name, surface, type, description, merchantId, isTemplate } = role
  const made = await sql<{ id: number }>`
    insert into role (merchant_id, name, surface, type, description, is_template)
    values (${merchantId}, ${name}, ${surface}, ${type}, ${description}, ${isTemplate})
    on conflict (merchant_id, name) do nothing returning id`.execute(ctx.tx)
  const id = made.rows[0]?.id ?? refuse('role.nameTaken', { name })
  await putGrants(ctx.tx, id, grants)
  await ctx.audit({ merchantId, objectKind: 'role', objectId: id, before: null, after: { ...role, grants } })
  return id
}

/** @throws Refusal request.notFound, or role.protected for a template that is not the person's to change */
async function editable(ctx: CommandContext, id: number): Promise<RoleInSight> {
  const role = existing(await findInSight(ctx.tx, sightOf(ctx.actor), id, 'lock'))
  if (!role.isEditable) refuse('role.protected', { name: role.name })
  return role
}

export async function edit(
  ctx: CommandContext,
  { id, version, ...wanted }: InputOf<typeof editRole>,
): Promise<OutputOf<typeof editRole>> {
  const role = await editable(ctx, id)
  const { name, type, description, merchantId } = role
  const before = { name, type, description }
  refuseStale(ctx, { version }, role, before, wanted)
  await refusedBy(
    'role_merchant_id_name_key',
    sql`update role set name = ${wanted.name}, type = ${wanted.type}, description = ${wanted.description},
      version = version + 1 where id = ${id}`.execute(ctx.tx),
    () => refusal('role.nameTaken', { name: wanted.name }),
  )
  await ctx.audit({ merchantId, objectKind: 'role', objectId: id, before, after: wanted })
  // The name stands in the menu of whoever switches between roles.
  if (wanted.name !== name) await announce(ctx.tx, { topic: 'rights', userIds: await holderIds(ctx.tx, id) })
  return { version: role.version + 1 }
}

/** As much of it as the person holds: a copy gives nobody more than who made it. */
export async function copy(
  ctx: CommandContext,
  { id, name }: InputOf<typeof copyRole>,
): Promise<OutputOf<typeof copyRole>> {
  const role = existing(await findInSight(ctx.tx, sightOf(ctx.actor), id))
  const { grants } = ctx.actor
  const whole = written(role.grants, await externalCodes(ctx.tx))
  const left = notHeld(grants, whole)
  // '*' is not copied even by who holds it, nor `noun.*` by who holds all of a noun today: a copy names what it grants.
  const isWhole = isCovered(grants, role.grants) && !role.grants.includes('*')
  const kept = isWhole ? role.grants : whole.filter((code) => !left.includes(code))
  const made = { ...role, name, merchantId: ctx.actor.merchantId, isTemplate: false }
  const { surface, type, description, merchantId, isTemplate } = made
  const copied = await insert(ctx, { name, surface, type, description, merchantId, isTemplate }, kept)
  return { id: copied, leftOut: left.length }
}

export async function remove(
  ctx: CommandContext,
  { id }: InputOf<typeof deleteRole>,
): Promise<OutputOf<typeof deleteRole>> {
  const role = await editable(ctx, id)
  if (role.grants.includes('*')) refuse('role.protected', { name: role.name })
  const holders = await holdersOf(ctx.tx, { kind: 'all' }, id)
  refuseInUse(holders.map(({ account, displayName }) => `${displayName} (${account})`))
  await sql`delete from role where id = ${id}`.execute(ctx.tx)
  const { merchantId, name, surface, grants } = role
  await ctx.audit({ merchantId, objectKind: 'role', objectId: id, before: { name, surface, grants }, after: null })
  return {}
}

/**
 * Whoever gives rights gives only what they have, and takes only that.
 * Holds with the commit, for open browsers too.
 */
export async function givePermissions(
  ctx: CommandContext,
  { id, version, permissions }: InputOf<typeof setPermissions>,
): Promise<OutputOf<typeof setPermissions>> {
  const role = await editable(ctx, id)
  if (role.grants.includes('*')) refuse('role.protected', { name: role.name })
  const external = await externalCodes(ctx.tx)
  const before = written(role.grants, external)
  refuseStale(ctx, { version }, role, { permissions: before }, { permissions })
  const wanted = wantedGrants(role.grants, permissions, external)
  if (wanted.unknown.length > 0) refuse('role.unknownPermission', { codes: wanted.unknown.slice(0, 5).join(', ') })
  refuseUncovered(ctx, [...wanted.granted, ...wanted.taken])
  await putGrants(ctx.tx, id, wanted.stored)
  await sql`update role set version = version + 1 where id = ${id}`.execute(ctx.tx)
  await ctx.audit({
    merchantId: role.merchantId,
    objectKind: 'role',
    objectId: id,
    before: { permissions: role.grants },
    after: { permissions: wanted.stored },
  })
  const userIds = await holderIds(ctx.tx, id)
  if (userIds.length > 0) await announce(ctx.tx, { topic: 'rights', userIds })
  return { version: role.version + 1, users: userIds.length }
}

/** @throws Refusal role.notYours naming what the person does not hold themselves */
export function refuseUncovered(ctx: Pick<CommandContext, 'actor' | 'language'>, codes: readonly string[]): void {
  const missing = codes.filter((code) => !isCovered(ctx.actor.grants, [code]))
  if (missing.length === 0) return
  const names = missing.slice(0, 5).map((code) => nameOfPermission(ctx.language, code))
  refuse('role.notYours', { names: names.join(' · ') + (missing.length > 5 ? ' …' : '') })
}
