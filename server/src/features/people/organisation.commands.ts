import type { InputOf } from '@aisle/contract/kernel/endpoint'
import {
  type addOrganisation,
  DEEPEST,
  type moveOrganisation,
  organisationState,
  type renameOrganisation,
} from '@aisle/contract/people/organisation'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import * as store from './organisation.store'
import { findMerchant } from './user.store'

type Changed = { id: number }

export async function add(ctx: CommandContext, input: InputOf<typeof addOrganisation>): Promise<Changed> {
  const { parentId, name, kind } = input
  const parent = parentId === null ? null : await load(ctx, parentId)
  const merchantId = parent?.merchantId ?? input.merchantId ?? ctx.actor.merchantId
  // A parent of another merchant than was asked for is as good as none.
  if (input.merchantId !== undefined && input.merchantId !== merchantId) refuse('request.notFound')
  if (!(await findMerchant(ctx.tx, sightOf(ctx.actor), merchantId))) refuse('request.notFound')
  if ((parent?.path.length ?? 0) >= DEEPEST) refuse('organisation.tooDeep', { most: DEEPEST })
  const id = await store.insert(ctx.tx, { merchantId, parentId, name, kind })
  await audit(ctx, { id, merchantId }, null, { name, kind, parent: parent?.name ?? null })
  return { id }
}

export async function rename(ctx: CommandContext, input: InputOf<typeof renameOrganisation>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const unit = await load(ctx, id)
  const before = { name: unit.name, kind: unit.kind }
  refuseStale(ctx, { version }, unit, before, wanted)
  await store.rename(ctx.tx, id, wanted)
  await audit(ctx, unit, before, wanted)
  return { id }
}

export async function move(ctx: CommandContext, input: InputOf<typeof moveOrganisation>): Promise<Changed> {
  const { id, version, parentId } = input
  const unit = await load(ctx, id)
  refuseStale(ctx, { version }, unit, { parentId: unit.parentId }, { parentId })
  const parent = parentId === null ? null : await load(ctx, parentId)
  if (parent && parent.merchantId !== unit.merchantId) refuse('request.notFound')
  if (parent?.path.includes(id)) refuse('organisation.ownBranch', { name: unit.name })
  const depth = (parent?.path.length ?? 0) + 1 + (await store.depthBelow(ctx.tx, unit))
  if (depth > DEEPEST) refuse('organisation.tooDeep', { most: DEEPEST })
  const [from] = await store.namesOf(ctx.tx, unit.parentId === null ? [] : [unit.parentId])
  await refuseOwn(ctx, unit)
  await refuseBeyond(ctx, unit)
  await store.hang(ctx.tx, unit, parentId)
  await refuseBeyond(ctx, unit)
  await audit(ctx, unit, { parent: from ?? null }, { parent: parent?.name ?? null })
  return { id }
}

export async function setState(ctx: CommandContext, id: number, verb: 'stop' | 'resume'): Promise<Changed> {
  const unit = await load(ctx, id)
  if (!organisationState.can(unit.state, verb)) refuse('organisation.state', { name: unit.name })
  const state = organisationState.to(verb)
  await refuseOwn(ctx, unit)
  await refuseBeyond(ctx, unit)
  await store.setState(ctx.tx, id, state)
  await audit(ctx, unit, { state: unit.state }, { state })
  return { id }
}

export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const unit = await load(ctx, id)
  const [self, ...below] = await store.branchOf(ctx.tx, id)
  const members = await store.membersOf(ctx.tx, id)
  const machines = await store.machinesOf(ctx.tx, sightOf(ctx.actor), id)
  const unnamed = (self?.machineCount ?? 0) - machines.length
  refuseInUse([
    ...below.filter(({ parentId }) => parentId === id).map(({ name }) => name),
    ...members.map(({ name, account }) => `${name} (${account})`),
    ...machines.map(({ code }) => code),
    // Of what isn't in the person's sight only the number is told.
    ...(unnamed > 0 ? [`+${unnamed}`] : []),
  ])
  await store.remove(ctx.tx, id)
  await audit(ctx, unit, { name: unit.name, kind: unit.kind }, null)
  return { id }
}

/** What somebody sees through the unit isn't theirs to take or to give back; who administers sees it anyway. */
async function refuseOwn(ctx: CommandContext, unit: store.Unit): Promise<void> {
  if (sightOf(ctx.actor).kind !== 'granted') return
  if (await store.isMember(ctx.tx, unit.id, ctx.actor.userId)) refuse('organisation.own', { name: unit.name })
}

/** People in it, or below it, see what it and those above it are authorised, and that is more than the actor sees. */
async function refuseBeyond(ctx: CommandContext, unit: store.Unit): Promise<void> {
  const sight = sightOf(ctx.actor)
  if (await store.showsMore(ctx.tx, sight, unit.id)) refuse('organisation.beyond', { name: unit.name })
}

const load = async (ctx: CommandContext, id: number): Promise<store.Unit> =>
  (await store.findInSight(ctx.tx, sightOf(ctx.actor), id, 'lock')) ?? refuse('request.notFound')

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'organisation', objectId: id, before, after })
