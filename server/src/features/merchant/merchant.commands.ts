import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type {
  createMerchant,
  deleteMerchant,
  editMerchant,
  moveMerchant,
  resumeMerchant,
  setServicePhone,
  stopMerchant,
} from '@aisle/contract/merchant/merchant'
import { merchantState } from '@aisle/contract/merchant/states'
import { announce } from '../../kernel/announce'
import { auditAs } from '../../kernel/audit'
import type { CommandContext } from '../../kernel/context'
import { refuseInUse, refuseStale } from '../../kernel/edit'
import { refuseMobile } from '../../kernel/mobile'
import { refusedBy } from '../../kernel/constraint'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { sightOf } from '../../kernel/scope'
import { word } from '../../kernel/words'
import { endAllBegun, makeAccount, setUserRoles } from '../identity/public'
import { addFirstRole } from '../rights/public'
import { firstGrants, widened } from './merchant.rules'
import * as store from './merchant.store'

type Changed = { id: number }

export async function create(
  ctx: CommandContext,
  input: InputOf<typeof createMerchant>,
): Promise<OutputOf<typeof createMerchant>> {
  const { parentId, code, loginName, adminName, adminPhone, ...merchant } = input
  const parent = await load(ctx, parentId)
  if (merchantState.is(parent.state, 'stopped')) refuse('merchant.parentStopped', { name: parent.name })
  await refuseMobile(ctx, 'adminPhone', adminPhone)
  const id = await store.insert(ctx.tx, parentId, code, merchant, ctx.now())
  const person = { merchantId: id, account: loginName, name: adminName, phone: adminPhone, language: ctx.language }
  const { userId, firstPassword } = await makeAccount(ctx, { ...person, kind: 'merchant_admin' }, () =>
    refusal('merchant.accountTaken', { account: loginName }),
  )
  const roleName = word(ctx.language, 'merchant', 'role.admin')
  const role = { merchantId: id, name: roleName, type: 'management', grants: firstGrants(ctx.actor.grants) } as const
  await setUserRoles(ctx.tx, userId, [await addFirstRole(ctx.tx, role)])
  await store.setAdmin(ctx.tx, id, userId)
  await audit(ctx, { id, merchantId: id }, null, { parent: parent.name, code, ...merchant, loginName })
  await ctx.audit({
    merchantId: id,
    objectKind: 'user',
    objectId: userId,
    before: null,
    after: {
      account: loginName,
      name: adminName,
      kind: 'merchant_admin',
    },
  })
  return { id, adminUserId: userId, firstPassword }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editMerchant>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const found = await load(ctx, id)
  const now = factsOf(found)
  refuseStale(ctx, { version }, found, now, wanted)
  if ((found.type === 'platform') !== (wanted.type === 'platform')) refuse('merchant.root')
  const isOwn = id === ctx.actor.merchantId && ctx.actor.kind !== 'platform_admin'
  if (isOwn && widened(now, wanted).length > 0) refuse('merchant.own')
  await refusedBy('merchant_pharmacy', store.update(ctx.tx, id, wanted), () =>
    refusal('merchant.pharmacyInUse', { name: found.name }),
  )
  await audit(ctx, { id, merchantId: id }, now, wanted)
  return { id }
}

/** Its people are out with the commit. Children are businesses of their own and go on. */
export async function stop(
  ctx: CommandContext,
  { id, machines, reason }: InputOf<typeof stopMerchant>,
): Promise<OutputOf<typeof stopMerchant>> {
  const found = await loadOther(ctx, id)
  if (!merchantState.can(found.state, 'stop')) refuse('merchant.state', { name: found.name })
  await store.setStopped(ctx.tx, id, machines === 'sell', ctx.now())
  let sessionsEnded = 0
  for (const userId of await store.usersOf(ctx.tx, id)) {
    sessionsEnded += await endAllBegun(ctx.tx, userId, 'disabled', ctx.now())
  }
  await tellMachines(ctx, id)
  await audit(
    ctx,
    { id, merchantId: id },
    { state: found.state },
    { state: merchantState.to('stop'), machines, reason },
  )
  return { id, sessionsEnded }
}

export async function resume(ctx: CommandContext, { id }: InputOf<typeof resumeMerchant>): Promise<Changed> {
  const found = await loadOther(ctx, id)
  if (!merchantState.can(found.state, 'resume')) refuse('merchant.state', { name: found.name })
  await store.setActive(ctx.tx, id)
  await tellMachines(ctx, id)
  await audit(ctx, { id, merchantId: id }, { state: found.state }, { state: merchantState.to('resume') })
  return { id }
}

export async function move(ctx: CommandContext, input: InputOf<typeof moveMerchant>): Promise<Changed> {
  const { id, version, parentId } = input
  await store.lockTree(ctx.tx)
  const found = await loadOther(ctx, id)
  const parent = await load(ctx, parentId)
  refuseStale(ctx, { version }, found, { parentId: found.parentId }, { parentId })
  if (await store.isBelow(ctx.tx, parentId, id)) refuse('merchant.belowItself', { name: found.name })
  const before = found.parentId === null ? '' : await store.nameOf(ctx.tx, found.parentId)
  const left = await store.pathOf(ctx.tx, id)
  await store.setParent(ctx.tx, id, parentId)
  // Those whom it leaves no longer stand above what was written, and have to hear of it all the same.
  await announce(ctx.tx, { topic: 'changes', kinds: ['merchant'], merchantIds: [], above: left })
  // Its machines are in the sight of others now.
  await announce(ctx.tx, { topic: 'sight' })
  await audit(ctx, { id, merchantId: id }, { parent: before }, { parent: parent.name })
  return { id }
}

export async function remove(ctx: CommandContext, { id }: InputOf<typeof deleteMerchant>): Promise<Changed> {
  const found = await loadOther(ctx, id)
  const uses = await store.usesOf(ctx.tx, id)
  refuseInUse(uses.map(({ kind, count }) => word(ctx.language, 'merchant', `use.${kindOf(kind)}`, { count })))
  await store.remove(ctx.tx, id)
  // The merchant is gone: its parent keeps the story.
  const merchantId = found.parentId ?? ctx.actor.merchantId
  const before = { code: found.code, name: found.name }
  await ctx.audit({ merchantId, objectKind: 'merchant', objectId: id, before, after: null })
  return { id }
}

const named = new Set(['merchant', 'app_user', 'machine', 'product', 'point', 'licence', 'organisation', 'member'])
const kindOf = (table: string): string => (named.has(table) ? table : 'other')

export async function changeServicePhone(
  ctx: CommandContext,
  { id, version, servicePhone }: InputOf<typeof setServicePhone>,
): Promise<Changed> {
  const found = await load(ctx, id)
  const before = { servicePhone: found.servicePhone }
  refuseStale(ctx, { version }, found, before, { servicePhone })
  await store.setServicePhone(ctx.tx, id, servicePhone)
  await audit(ctx, { id, merchantId: id }, before, { servicePhone })
  return { id }
}

/** Administrators act for merchants; whoever sees machines one by one runs no merchant. */
async function load(ctx: CommandContext, id: number): Promise<store.Found> {
  const found = existing(await store.lockInSight(ctx.tx, sightOf(ctx.actor), id))
  if (ctx.actor.kind === 'platform_admin' || ctx.actor.kind === 'merchant_admin') return found
  return refuse('request.notPermitted')
}

/** For what nobody does to their own merchant, and nobody at all to the platform. */
async function loadOther(ctx: CommandContext, id: number): Promise<store.Found> {
  const found = await load(ctx, id)
  if (found.type === 'platform') refuse('merchant.root')
  return id === ctx.actor.merchantId ? refuse('merchant.own') : found
}

function factsOf({ id: _, parentId: _p, code: _c, state: _s, version: _v, ...facts }: store.Found): store.Merchant {
  return facts
}

async function tellMachines(ctx: CommandContext, id: number): Promise<void> {
  const machineIds = await store.machinesOf(ctx.tx, id)
  if (machineIds.length > 0) await announce(ctx.tx, { topic: 'machines', machineIds })
}

const audit = auditAs('merchant')
