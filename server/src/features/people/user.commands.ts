import type { FirstPassword } from '@aisle/contract/identity/password'
import type { UserKind } from '@aisle/contract/identity/permissions'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { type addUser, type assignRoles, type editUser, userState } from '@aisle/contract/people/user'
import { announce } from '../../kernel/announce'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { refuseMobile } from '../../kernel/mobile'
import { existing, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import * as identity from '../identity/public'
import { refuseUncovered, rolesFor } from '../rights/public'
import { kindsToGive } from './user.rules'
import * as store from './user.store'

type Changed = { id: number }
type Given = Changed & { firstPassword: FirstPassword }

export async function add(ctx: CommandContext, input: InputOf<typeof addUser>): Promise<Given> {
  const { roleIds, merchantId = ctx.actor.merchantId, ...person } = input
  await checkFacts(ctx, merchantId, person, null)
  const roles = await checkRoles(ctx, merchantId, roleIds, [])
  const given = await insertPerson(ctx, { ...person, merchantId }, roleIds)
  await audit(ctx, { id: given.id, merchantId }, null, { ...person, roles: roles.join(', ') })
  return given
}

/** With a first password given. @throws Refusal user.accountTaken, account.wouldHoldMore */
export async function insertPerson(
  ctx: CommandContext,
  person: identity.NewUser & { phone: string },
  roleIds: readonly number[] = [],
): Promise<Given> {
  await refuseMobile(ctx, 'phone', person.phone)
  const id = await identity.addUser(ctx.tx, person, ctx.now())
  await identity.setUserRoles(ctx.tx, id, roleIds)
  await identity.refuseMadeGreater(ctx, id)
  return { id, firstPassword: await identity.givePassword(ctx, { ...person, id }, 'password.initial') }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editUser>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const person = await load(ctx, id, { orSelf: true })
  const before = editableOf(person)
  refuseStale(ctx, { version }, person, before, wanted)
  if (wanted.kind !== person.kind) await refuseKindChange(ctx, person)
  if (wanted.organisationId !== person.organisationId) refuseOwnPlace(ctx, id)
  await checkFacts(ctx, person.merchantId, wanted, person)
  await refuseMobile(ctx, 'phone', wanted.phone)
  await identity.editUser(ctx.tx, id, wanted)
  if (id !== ctx.actor.userId) await identity.refuseMadeGreater(ctx, id)
  await audit(ctx, person, before, wanted)
  return { id }
}

export async function giveRoles(ctx: CommandContext, input: InputOf<typeof assignRoles>): Promise<Changed> {
  const { id, version, roleIds } = input
  const person = await load(ctx, id, { orSelf: ctx.actor.grants.includes('*') })
  const wanted = [...new Set(roleIds)].sort((a, b) => a - b)
  refuseStale(ctx, { version }, person, { roleIds: person.roleIds }, { roleIds: wanted })
  const roles = await checkRoles(ctx, person.merchantId, wanted, person.roleIds)
  const admins = await store.lockAdmins(ctx.tx)
  const before = await namesOf(ctx, person.merchantId, person.roleIds)
  await identity.setUserRoles(ctx.tx, id, wanted)
  if (id !== ctx.actor.userId) await identity.refuseMadeGreater(ctx, id)
  if (admins.includes(id) && (await store.lockAdmins(ctx.tx)).length === 0) refuse('user.lastAdmin')
  await audit(ctx, person, { roles: before }, { roles: roles.join(', ') })
  await announce(ctx.tx, { topic: 'rights', userIds: [id] })
  return { id }
}

export async function disable(ctx: CommandContext, id: number): Promise<Changed> {
  const person = await load(ctx, id)
  await refuseLastAdmin(ctx, id)
  return move(ctx, person, 'disable')
}

export const enable = async (ctx: CommandContext, id: number): Promise<Changed> =>
  move(ctx, await load(ctx, id), 'enable')

async function move(ctx: CommandContext, person: store.Person, verb: 'disable' | 'enable'): Promise<Changed> {
  if (!userState.can(person.state, verb)) refuse('user.state', { name: person.name })
  const state = userState.to(verb)
  await identity.setUserState(ctx.tx, person.id, state)
  if (verb === 'disable') await identity.endAllBegun(ctx.tx, person.id, 'disabled', ctx.now())
  await audit(ctx, person, { state: person.state }, { state })
  return { id: person.id }
}

export async function resetPassword(ctx: CommandContext, id: number): Promise<Given> {
  const person = await load(ctx, id)
  const phone = person.phone ?? refuse('user.noPhone', { name: person.name })
  const firstPassword = await identity.givePassword(ctx, { ...person, phone }, 'password.reset')
  const sessions = await identity.endAllBegun(ctx.tx, id, 'administrator', ctx.now())
  await audit(ctx, person, null, { passwordReset: true, sessionsEnded: sessions })
  return { id, firstPassword }
}

export async function unblockAccount(ctx: CommandContext, id: number): Promise<Changed> {
  const person = await load(ctx, id, { orSelf: true })
  const until = await identity.blockedUntil(ctx.tx, person.account, ctx.now())
  if (!until) refuse('user.notBlocked', { name: person.name })
  await identity.unblock(ctx.tx, person.account, ctx.now())
  await audit(ctx, person, { blockedUntil: until.toISOString() }, { blockedUntil: null })
  return { id }
}

/** The row, locked, of somebody whom the actor may change. */
async function load(ctx: CommandContext, id: number, { orSelf = false } = {}): Promise<store.Person> {
  // Before the person's own row: two who change each other at once would wait for each other.
  if (ctx.actor.kind === 'platform_admin') await store.lockAdmins(ctx.tx)
  const person = existing(await store.findInSight(ctx.tx, sightOf(ctx.actor), id, 'lock'))
  if (id !== ctx.actor.userId) await identity.refuseGreater(ctx, id)
  else if (!orSelf) refuse('user.self')
  return person
}

async function refuseKindChange(ctx: CommandContext, person: store.Person): Promise<void> {
  if (person.id === ctx.actor.userId) refuse('user.self')
  await refuseLastAdmin(ctx, person.id)
}

/** What people see comes through their unit; administrators see what they see wherever they are. */
function refuseOwnPlace({ actor }: CommandContext, id: number): void {
  if (id === actor.userId && sightOf(actor).kind === 'granted') refuse('user.self')
}

async function refuseLastAdmin(ctx: CommandContext, id: number): Promise<void> {
  const admins = await store.lockAdmins(ctx.tx)
  if (admins.length === 1 && admins[0] === id) refuse('user.lastAdmin')
}

/** What is new must be the actor's to give; a level or a unit that stays as it is asks nobody. */
async function checkFacts(
  ctx: CommandContext,
  merchantId: number,
  wanted: { kind: UserKind; organisationId: number | null },
  now: { kind: UserKind; organisationId: number | null } | null,
): Promise<void> {
  const merchant = existing(await store.findMerchant(ctx.tx, sightOf(ctx.actor), merchantId))
  const isNewKind = wanted.kind !== now?.kind
  if (isNewKind && !kindsToGive(ctx.actor, merchant.isPlatform).includes(wanted.kind)) refuse('user.kindNotYours')
  const unit = wanted.organisationId
  if (unit === null || unit === now?.organisationId) return
  if (!(await store.isOpenUnit(ctx.tx, merchantId, unit))) refuse('user.unitNotHere')
}

/** @param held roles that stay need not be the actor's own; taking one away needs as much as giving it */
async function checkRoles(
  ctx: CommandContext,
  merchantId: number,
  wanted: readonly number[],
  held: readonly number[],
): Promise<string[]> {
  const offered = new Map((await rolesFor(ctx.tx, merchantId)).map((role) => [role.id, role]))
  const added = wanted.filter((id) => !held.includes(id))
  if (added.some((id) => !offered.has(id))) refuse('user.roleNotHere')
  const taken = held.filter((id) => !wanted.includes(id))
  refuseUncovered(
    ctx,
    [...added, ...taken].flatMap((id) => offered.get(id)?.permissions ?? []),
  )
  return wanted.map((id) => offered.get(id)?.name ?? String(id))
}

async function namesOf(ctx: CommandContext, merchantId: number, roleIds: readonly number[]): Promise<string> {
  const offered = new Map((await rolesFor(ctx.tx, merchantId)).map(({ id, name }) => [id, name]))
  return roleIds.map((id) => offered.get(id) ?? String(id)).join(', ')
}

const editableOf = ({ name, phone, email, organisationId, kind, language }: store.Person): identity.EditableUser => ({
  name,
  phone,
  email,
  organisationId,
  kind,
  language,
})

const audit = auditAs('user')
