import { isSaleLawful } from '@aisle/contract/catalog/product'
import type { addMachine, editMachine, MachineFacts } from '@aisle/contract/fleet/machineForm'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { refuseStale } from '../../../kernel/edit'
import { addJob } from '../../../kernel/jobs'
import { must } from '../../../kernel/must'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../../kernel/scope'
import { showToMaker } from './grant.store'
import { factsOf, settingOf } from './machine.columns'
import {
  copySlots,
  findForUpdate,
  findGoods,
  findOwner,
  findStoppedPoint,
  insertMachines,
  makeSecret,
  pathOf,
  type Placing,
} from './machine.store'

/** The job of `device` that tells machines what they do not know yet of their settings. */
export const TELL_SETTINGS = 'device.tellSettings'

export async function add(
  ctx: CommandContext,
  input: InputOf<typeof addMachine>,
): Promise<OutputOf<typeof addMachine>> {
  const { merchantId, copyFromId, ...named } = input
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  await checkPlaces(ctx, merchantId, { pointId: input.pointId })
  const { secret, secretHash } = makeSecret()
  const machine = {
    ...named,
    merchantId,
    secretHash,
    layers: copyFromId ? 0 : input.layers,
    routeId: null,
    model: '',
    manufacturer: '',
    hardwareVersion: '',
    manufacturedOn: null,
    warrantyUntil: null,
    temperatureMinC: null,
    temperatureMaxC: null,
  }
  const inserted = refusedBy('machine_code_key', insertMachines(ctx.tx, [machine], ctx.now()), () =>
    refusal('machine.codeTaken', { code: input.code }),
  )
  const made = await needsPharmacy(inserted)
  const id = must(made.get(input.code), input.code)
  if (copyFromId) await copyAll(ctx, copyFromId, id, input.licenceMode)
  await showAdded(ctx, [id])
  await ctx.audit({ merchantId, objectKind: 'machine', objectId: input.code, before: null, after: { ...input } })
  await announce(ctx.tx, { topic: 'sight' })
  return { id, code: input.code, secret }
}

/** Whoever sees machines one by one sees those that they added. */
export async function showAdded(ctx: CommandContext, ids: readonly number[]): Promise<void> {
  if (sightOf(ctx.actor).kind !== 'granted') return
  await showToMaker(ctx.tx, ids, { userId: ctx.actor.userId, at: ctx.now() })
}

/** What a copied machine does not share: where it stands, whose it is, and what is particular to the one cabinet. */
const own: ReadonlySet<string> = new Set([
  'name',
  'category',
  'licenceMode',
  'pointId',
  'routeId',
  'routeOrder',
  'operatorId',
  'picture',
  'deployedAt',
  'deployerId',
  'manufacturedOn',
  'warrantyUntil',
])

async function copyAll(
  ctx: CommandContext,
  fromId: number,
  id: number,
  licenceMode: MachineFacts['licenceMode'],
): Promise<void> {
  const source = existing(await findForUpdate(ctx.tx, sightOf(ctx.actor), fromId))
  const shared = Object.entries(factsOf(source)).filter(([name]) => !own.has(name))
  await sql`update machine set ${settingOf(Object.fromEntries(shared))} where id = ${id}`.execute(ctx.tx)
  await copySlots(ctx.tx, fromId, id)
  await refuseUnlawful(ctx, id, licenceMode)
  await addJob(ctx.tx, TELL_SETTINGS)
}

/** What its machine has to hear of. */
const toldNames = ['thermostat', 'licenceMode', 'shipsAfterJam', 'shipsDirectly'] as const

export async function edit(
  ctx: CommandContext,
  input: InputOf<typeof editMachine>,
): Promise<OutputOf<typeof editMachine>> {
  const { id, version, ...wanted } = input
  const machine = existing(await findForUpdate(ctx.tx, sightOf(ctx.actor), id))
  const before = factsOf(machine)
  refuseStale(ctx, { version }, machine, before, wanted)
  if (machine.isRetired) refuse('machine.retired', { code: machine.code })
  await checkPlaces(ctx, machine.merchantId, changed(before, wanted))
  if (wanted.licenceMode !== before.licenceMode) await refuseUnlawful(ctx, id, wanted.licenceMode)
  const update = sql`update machine set ${settingOf(wanted)}, version = version + 1, updated_at = ${ctx.now()}
    where id = ${id}`
  await needsPharmacy(update.execute(ctx.tx))
  if (toldNames.some((name) => JSON.stringify(wanted[name]) !== JSON.stringify(before[name]))) {
    await addJob(ctx.tx, TELL_SETTINGS)
  }
  const { code: objectId, merchantId } = machine
  await ctx.audit({ merchantId, objectKind: 'machine', objectId, before, after: wanted })
  await announce(ctx.tx, { topic: 'machines', machineIds: [id] })
  return { id, version: machine.version + 1 }
}

type Places = Partial<Pick<MachineFacts, 'pointId' | 'routeId' | 'operatorId' | 'deployerId'>>

const changed = (before: Places, wanted: Places): Places =>
  Object.fromEntries(
    Object.keys(placings)
      .map((name) => name as keyof Places)
      .filter((name) => wanted[name] !== before[name])
      .map((name) => [name, wanted[name]]),
  )

const placings: Record<keyof Places, Placing> = {
  pointId: 'point',
  routeId: 'route',
  operatorId: 'organisation',
  deployerId: 'app_user',
}

/** A machine hangs on things of its own merchant or of one above it. @throws Refusal for others, and what is unseen */
async function checkPlaces(ctx: CommandContext, merchantId: number, places: Places): Promise<void> {
  const path = await pathOf(ctx.tx, merchantId)
  for (const [name, id] of Object.entries(places)) {
    if (id === null) continue
    const owner = await findOwner(ctx.tx, sightOf(ctx.actor), placings[name as keyof Places], id)
    if (owner === undefined) refuse('request.notFound')
    if (!path.includes(owner)) refuse('machine.otherMerchant')
  }
  if (places.pointId !== undefined) await refuseStoppedPoint(ctx, places.pointId)
}

/** Medicine is sold where the merchant's pharmacy is on; the database sees to it. */
export const needsPharmacy = <T>(written: Promise<T>): Promise<T> =>
  refusedBy('machine_pharmacy', written, () => refusal('machine.noPharmacy'))

/** What stands at a stopped point goes on; nothing new comes there. */
export async function refuseStoppedPoint(ctx: CommandContext, pointId: number): Promise<void> {
  const name = await findStoppedPoint(ctx.tx, pointId)
  if (name !== undefined) refuse('machine.pointStopped', { name })
}

async function refuseUnlawful(ctx: CommandContext, id: number, mode: MachineFacts['licenceMode']): Promise<void> {
  const goods = await findGoods(ctx.tx, id)
  const forbidden = goods.filter(({ medicineClass }) => !isSaleLawful(mode, medicineClass))
  if (forbidden.length === 0) return
  const slots = forbidden.map(({ code, productName }) => `${code} ${productName}`)
  refuse('machine.licenceForbids', { slots: slots.slice(0, 8).join(' · ') + (slots.length > 8 ? ' …' : '') })
}
