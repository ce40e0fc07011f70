import { randomBytes } from 'node:crypto'
import {
  type addIntegration,
  type editIntegration,
  type IntegrationChild,
  integrationState,
  isOffered,
  parentOf,
} from '@aisle/contract/merchant/integration'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { auditAs } from '../../kernel/audit'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { only } from '../../kernel/must'
import { existing, refusal, refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../kernel/scope'
import { seal } from '../../kernel/seal'
import { integrationInSight, refuseBeyond } from './integration.store'

type Changed = { id: number }
type Editable = Omit<InputOf<typeof editIntegration>, 'id' | 'version'>
type Row = Omit<Editable, 'childClass'> & {
  childClass: IntegrationChild
  id: number
  merchantId: number
  merchantName: string
  machineId: number | null
  useCount: number
  state: 'enabled' | 'disabled'
  hasSecret: boolean
  version: number
}

export async function add(ctx: CommandContext, input: InputOf<typeof addIntegration>): Promise<Changed> {
  const { merchantId, machineCode, ...wanted } = input
  refusePath(wanted)
  const merchant = await loadMerchant(ctx, merchantId)
  const machineId = machineCode === null ? null : await machineOf(ctx, merchantId, machineCode)
  await refuseBeyond(ctx, { merchantId, merchantName: merchant.name, machineId })
  const made = await unlessThere(
    merchant.name,
    sql<{ id: number }>`insert into integration_config (merchant_id, machine_id, parent_class, child_class,
        interface_type, path, max_count, expires_on, contract_number, created_at)
      values (${merchantId}, ${machineId}, ${parentOf(wanted.childClass)}, ${wanted.childClass},
        ${wanted.interfaceType}, ${wanted.path}, ${wanted.maxCount}, ${wanted.expiresOn}, ${wanted.contractNumber},
        ${ctx.now()}) returning id`.execute(ctx.tx),
  )
  const id = only(made).id
  await audit(ctx, { id, merchantId }, null, { machineCode, ...wanted })
  return { id }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editIntegration>): Promise<Changed> {
  const { id, version, ...wanted } = input
  const row = await load(ctx, id)
  const before = editableOf(row)
  refusePath(wanted)
  refuseStale(ctx, { version }, row, before, wanted)
  if (wanted.maxCount !== null && wanted.maxCount < row.useCount) {
    refuse('integrationConfig.maxBelowUse', { used: row.useCount })
  }
  await unlessThere(
    row.merchantName,
    sql`update integration_config set parent_class = ${parentOf(wanted.childClass)},
        child_class = ${wanted.childClass}, interface_type = ${wanted.interfaceType}, path = ${wanted.path},
        max_count = ${wanted.maxCount}, expires_on = ${wanted.expiresOn}, contract_number = ${wanted.contractNumber},
        version = version + 1 where id = ${id}`.execute(ctx.tx),
  )
  await audit(ctx, row, before, wanted)
  return { id }
}

export async function move(ctx: CommandContext, id: number, verb: 'enable' | 'disable'): Promise<Changed> {
  const row = await load(ctx, id)
  if (!integrationState.can(row.state, verb)) refuse('integrationConfig.state')
  if (verb === 'enable' && !isOffered(row.childClass)) refuse('integrationConfig.notOffered')
  if (verb === 'enable' && !row.hasSecret) refuse('integrationConfig.noSecret')
  const state = integrationState.to(verb)
  await sql`update integration_config set state = ${state}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, { state: row.state }, { state })
  return { id }
}

/** What was ever called stays on record; it can be disabled. */
export async function remove(ctx: CommandContext, id: number): Promise<Changed> {
  const row = await load(ctx, id)
  if (row.useCount > 0) refuse('integrationConfig.used', { used: row.useCount })
  // What was asked for through it is kept, also where it was not counted as a use.
  await refusedBy(
    'partner_request_config_id_fkey',
    sql`delete from integration_config where id = ${id}`.execute(ctx.tx),
    () => refusal('integrationConfig.used', { used: row.useCount }),
  )
  await audit(ctx, row, editableOf(row), null)
  return { id }
}

/** 256 bits, told this once and kept sealed: we sign with it, so a hash would not do. */
export async function rotateSecret(ctx: CommandContext, id: number): Promise<{ secret: string }> {
  const row = await load(ctx, id)
  const secret = randomBytes(32).toString('base64url')
  await sql`update integration_config set secret = ${seal(ctx.services.keys, `integration:${id}`, secret)},
    secret_set_at = ${ctx.now()}, version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, null, { secret: 'rotated' })
  return { secret }
}

const unlessThere = <T>(merchant: string, write: Promise<T>): Promise<T> =>
  refusedBy('integration_config_one', write, () => refusal('integrationConfig.exists', { merchant }))

/** It says where shipments are told back; an event feed has the addresses of its webhooks. */
function refusePath({ childClass, interfaceType, path }: Pick<Editable, 'childClass' | 'interfaceType' | 'path'>) {
  if (childClass === 'event_feed' && path !== null) refuse('integrationConfig.pathUnused')
  if (childClass === 'ship_request' && interfaceType !== 'pull' && path === null) {
    refuse('integrationConfig.pathMissing')
  }
}

async function loadMerchant(ctx: CommandContext, id: number): Promise<{ name: string }> {
  const found = await sql<{ name: string }>`select name from merchant
    where id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`merchant.id`)}`.execute(ctx.tx)
  return existing(found.rows[0])
}

async function machineOf(ctx: CommandContext, merchantId: number, code: string): Promise<number> {
  const found = await sql<{ id: number }>`select m.id from machine m where m.code = ${code}
    and m.merchant_id = ${merchantId} and ${machineInSight(sightOf(ctx.actor), sql`m.id`)}`.execute(ctx.tx)
  return found.rows[0]?.id ?? refuse('integrationConfig.noMachine', { code })
}

/** To be changed, by who sees every machine that it reaches. @throws Refusal integrationConfig.beyond */
async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`
    select i.id, i.merchant_id as "merchantId", m.name as "merchantName", i.machine_id as "machineId",
      i.child_class as "childClass", i.interface_type as "interfaceType", i.path, i.use_count as "useCount",
      i.max_count as "maxCount", i.state, i.expires_on as "expiresOn", i.contract_number as "contractNumber",
      i.secret is not null as "hasSecret", i.version
    from integration_config i join merchant m on m.id = i.merchant_id
    where i.id = ${id} and ${integrationInSight(sightOf(ctx.actor))} for update of i`.execute(ctx.tx)
  const row = existing(found.rows[0])
  await refuseBeyond(ctx, row)
  return row
}

const editableOf = ({ childClass, interfaceType, path, maxCount, expiresOn, contractNumber }: Row) => ({
  childClass,
  interfaceType,
  path,
  maxCount,
  expiresOn,
  contractNumber,
})

const audit = auditAs('integrationConfig')
