import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/people/organisation'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { kept } from '../../kernel/kept'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as reads from './organisation.reads'
import { findMerchant } from './user.store'

type Asked = { id: number }
type Unit = Awaited<ReturnType<typeof units.load>>

const units = kept(contract.organisation, {
  table: 'organisation',
  facts: () => reads.unitFacts,
  search: [],
})

export const routes: Route[] = [
  query(contract.treeOrganisations, (ctx, { merchantId }) => tree(ctx, merchantId ?? ctx.actor.merchantId)),
  query(contract.getOrganisation, detail),
  command(contract.addOrganisation, add),
  command(contract.editOrganisation, units.edit),
  command(contract.moveOrganisation, hang),
  command(contract.stopOrganisation, (ctx, input) => move(ctx, input, 'stop')),
  command(contract.resumeOrganisation, (ctx, input) => move(ctx, input, 'resume')),
  command(contract.removeOrganisation, remove),
]

async function tree(ctx: QueryContext, merchantId: number): Promise<OutputOf<typeof contract.treeOrganisations>> {
  const sight = sightOf(ctx.actor)
  const merchant = existing(await findMerchant(ctx.db, sight, merchantId))
  return {
    merchantId,
    merchantName: merchant.name,
    merchants: await reads.listOwners(ctx.db, sight),
    items: await reads.listOf(ctx.db, merchantId),
    unassigned: await reads.countUnassigned(ctx.db, merchantId),
  }
}

async function detail(ctx: QueryContext, { id }: Asked): Promise<OutputOf<typeof contract.getOrganisation>> {
  return {
    ...(await units.get(ctx, { id })),
    above: await reads.namesAbove(ctx.db, id),
    members: await reads.membersOf(ctx.db, id),
    machines: await reads.machinesOf(ctx.db, sightOf(ctx.actor), id),
  }
}

async function add(ctx: CommandContext, input: InputOf<typeof contract.addOrganisation>): Promise<Asked> {
  const { parentId, name, kind } = input
  const parent = parentId === null ? null : await units.load(ctx, parentId)
  const merchantId = parent?.merchantId ?? input.merchantId ?? ctx.actor.merchantId
  // A parent of another merchant than was asked for is as good as none.
  if (input.merchantId !== undefined && input.merchantId !== merchantId) refuse('request.notFound')
  if (!(await findMerchant(ctx.tx, sightOf(ctx.actor), merchantId))) refuse('request.notFound')
  if ((parent?.path.length ?? 0) >= contract.DEEPEST) refuse('organisation.tooDeep', { most: contract.DEEPEST })
  const values = { merchantId, parentId, name, kind, path: [], createdAt: ctx.now() }
  const write = ctx.tx.insertInto('organisation').values(values).returning('id').executeTakeFirstOrThrow()
  const { id } = await unlessTaken(name, write)
  await units.audit(ctx, { id, merchantId }, null, { name, kind, parent: parent?.name ?? null })
  return { id }
}

async function hang(ctx: CommandContext, input: InputOf<typeof contract.moveOrganisation>): Promise<Asked> {
  const { id, version, parentId } = input
  const unit = await units.load(ctx, id)
  refuseStale(ctx, { version }, unit, { parentId: unit.parentId }, { parentId })
  const parent = parentId === null ? null : await units.load(ctx, parentId)
  if (parent && parent.merchantId !== unit.merchantId) refuse('request.notFound')
  if (parent?.path.includes(id)) refuse('organisation.ownBranch', { name: unit.name })
  const depth = (parent?.path.length ?? 0) + 1 + (await reads.depthBelow(ctx.tx, unit))
  if (depth > contract.DEEPEST) refuse('organisation.tooDeep', { most: contract.DEEPEST })
  const from = (await reads.namesAbove(ctx.tx, id)).at(-1)
  await refuseOwn(ctx, unit)
  await refuseBeyond(ctx, unit)
  await unlessTaken(
    unit.name,
    sql`update organisation set parent_id = ${parentId}, version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  await refuseBeyond(ctx, unit)
  await units.audit(ctx, unit, { parent: from ?? null }, { parent: parent?.name ?? null })
  return { id }
}

async function move(ctx: CommandContext, { id }: Asked, verb: 'stop' | 'resume'): Promise<Asked> {
  const unit = await units.load(ctx, id)
  if (!contract.organisationState.can(unit.state, verb)) refuse('organisation.state', { name: unit.name })
  await refuseOwn(ctx, unit)
  await refuseBeyond(ctx, unit)
  return units.move(verb)(ctx, { id })
}

async function remove(ctx: CommandContext, { id }: Asked): Promise<Asked> {
  await units.load(ctx, id)
  refuseInUse(await reads.usesOf(ctx.tx, sightOf(ctx.actor), id))
  return units.remove(ctx, { id })
}

/** What somebody sees through the unit isn't theirs to take or to give back; who administers sees it anyway. */
async function refuseOwn(ctx: CommandContext, { id, name }: Unit): Promise<void> {
  if (sightOf(ctx.actor).kind !== 'granted') return
  if (await reads.isMember(ctx.tx, id, ctx.actor.userId)) refuse('organisation.own', { name })
}

/** People in it, or below it, see what it and those above it are authorised, and that is more than the actor sees. */
async function refuseBeyond(ctx: CommandContext, { id, name }: Unit): Promise<void> {
  if (await reads.showsMore(ctx.tx, sightOf(ctx.actor), id)) refuse('organisation.beyond', { name })
}

const unlessTaken = <T>(name: string, write: Promise<T>): Promise<T> =>
  refusedBy('organisation_merchant_id_parent_id_name_key', write, () => refusal('organisation.nameTaken', { name }))
