import { createHash, randomUUID } from 'node:crypto'
import { type addPackage, type pauseRollout, rolloutState, type startRollout } from '@aisle/contract/device/software'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { announce } from '../../../kernel/announce'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, merchantInSight, sightOf } from '../../../kernel/scope'
import { queueCommands } from './command.store'
import { countWave } from './rollout.moves'
import { rolloutInSight } from './rollout.reads'
import { areWaves, wavesOf } from './rollout.rules'
import { askWave, lockRollouts, moveRollout, type RolloutRow, takeBack } from './rollout.store'
import { takingState } from './taking.state'
import { findTargets } from './target.reads'
import { statesIn } from '../../../kernel/states'

export async function add(ctx: CommandContext, input: InputOf<typeof addPackage>): Promise<{ id: number }> {
  const { version, url, sha256, notes } = input
  const { merchantId, userId } = ctx.actor
  const made = await refusedBy(
    'app_package_merchant_id_version_key',
    sql<{ id: number }>`insert into app_package (merchant_id, version, url, sha256, notes, created_by, created_at)
      values (${merchantId}, ${version}, ${url}, ${sha256}, ${notes}, ${userId}, ${ctx.now()}) returning id`.execute(
      ctx.tx,
    ),
    () => refusal('software.versionTaken', { version }),
  )
  const id = only(made).id
  await ctx.audit({ merchantId, objectKind: 'appPackage', objectId: version, before: null, after: { url, sha256 } })
  return { id }
}

/** Which machine is in which wave is drawn by lot: the first ones stand for all, not for one town. */
export async function start(ctx: CommandContext, input: InputOf<typeof startRollout>): Promise<{ id: number }> {
  const { packageId, filter, count, waves, failureLimitPercent, reason } = input
  const sight = sightOf(ctx.actor)
  const packages = await sql<{ version: string }>`select version from app_package p
    where p.id = ${packageId} and ${merchantInSight(sight, sql`p.merchant_id`)}`.execute(ctx.tx)
  const { version } = existing(packages.rows[0])
  if (!areWaves(waves)) refuse('software.waves')
  const found = await findTargets(ctx.tx, sight, { filter }, ctx.now())
  if (found.length !== count) refuse('software.changed', { now: found.length, seen: count })
  const targets = found.filter(({ appVersion }) => appVersion !== version)
  if (targets.length === 0) refuse('software.nobody', { version })
  await refuseBusy(ctx, targets)
  const made = await sql<{ id: number }>`insert into rollout
      (merchant_id, package_id, reason, waves, failure_limit_percent, created_by, created_at)
    values (${ctx.actor.merchantId}, ${packageId}, ${reason}, ${waves}::int[], ${failureLimitPercent},
      ${ctx.actor.userId}, ${ctx.now()}) returning id`.execute(ctx.tx)
  const id = only(made).id
  const lots = targets.map(({ id: machineId }) => ({
    machineId,
    lot: createHash('sha256').update(`${id}/${machineId}`).digest('hex'),
  }))
  const drawn = lots.sort((a, b) => (a.lot < b.lot ? -1 : 1))
  const waveOf = wavesOf(drawn.length, waves)
  const placed = drawn.map(({ machineId }, at) => ({ machineId, wave: waveOf[at] ?? waves.length }))
  await sql`insert into rollout_machine (rollout_id, machine_id, wave)
    select ${id}, machine_id, wave from ${rows('p', placed, { machineId: 'bigint', wave: 'int' })}`.execute(ctx.tx)
  const [rollout] = await lockRollouts(ctx.tx, sql`r.id = ${id}`)
  if (rollout) await ask(ctx, rollout)
  await audit(ctx, { id, version }, null, { machines: targets.length, waves, failureLimitPercent, reason })
  return { id }
}

async function refuseBusy(ctx: CommandContext, targets: readonly { id: number }[]): Promise<void> {
  const busy = await sql<{ version: string }>`select p.version from rollout_machine m
    join rollout r on r.id = m.rollout_id join app_package p on p.id = r.package_id
    where m.machine_id = any(${targets.map(({ id }) => id)}::bigint[])
      and r.state in ${statesIn(rolloutState, 'underWay')}
    limit 1`.execute(ctx.tx)
  if (busy.rows[0]) refuse('software.busy', { version: busy.rows[0].version })
}

async function ask(ctx: CommandContext, rollout: RolloutRow): Promise<void> {
  const machineIds = await askWave(ctx.tx, rollout, ctx.now())
  if (machineIds.length > 0) await announce(ctx.tx, { topic: 'commands', machineIds })
}

type Verb = InputOf<typeof pauseRollout>

/** To be turned by who sees all of its machines. @throws Refusal software.unseen */
async function load(ctx: CommandContext, id: number): Promise<RolloutRow> {
  const sight = sightOf(ctx.actor)
  const [rollout] = await lockRollouts(ctx.tx, sql`r.id = ${id} and ${rolloutInSight(sight)}`)
  const unseen = await sql`select from rollout_machine
    where rollout_id = ${id} and (${machineInSight(sight, sql`machine_id`)}) is not true limit 1`.execute(ctx.tx)
  if (rollout && unseen.rows.length > 0) refuse('software.unseen')
  return existing(rollout)
}

export async function pause(ctx: CommandContext, { id, reason }: Verb): Promise<{ id: number }> {
  const rollout = await load(ctx, id)
  const before = rollout.state
  if (!(await moveRollout(ctx.tx, rollout, 'pause', ctx.now()))) refuse('software.state')
  await takeBack(ctx.tx, id, ctx.now())
  return recordMove(ctx, rollout, before, reason)
}

/** Whoever goes on after a stop has seen the failures; only further ones stop it again. */
export async function resume(ctx: CommandContext, { id, reason }: Verb): Promise<{ id: number }> {
  const rollout = await load(ctx, id)
  const before = rollout.state
  if (!(await moveRollout(ctx.tx, rollout, 'resume', ctx.now()))) refuse('software.state')
  const { failed } = await countWave(ctx.tx, rollout)
  await sql`update rollout set forgiven_wave = wave, forgiven = ${failed} where id = ${id}`.execute(ctx.tx)
  await ask(ctx, rollout)
  return recordMove(ctx, rollout, before, reason)
}

/** Every machine that took it goes back to what it ran before; each keeps its own former version. */
export async function rollBack(ctx: CommandContext, { id, reason }: Verb): Promise<{ id: number }> {
  const rollout = await load(ctx, id)
  const before = rollout.state
  if (!(await moveRollout(ctx.tx, rollout, 'rollBack', ctx.now()))) refuse('software.state')
  await takeBack(ctx.tx, id, ctx.now())
  const took = await sql<{ machineId: number; merchantId: number }>`
    select r.machine_id as "machineId", m.merchant_id as "merchantId" from rollout_machine r
    join machine m on m.id = r.machine_id
    where r.rollout_id = ${id} and r.state in ${statesIn(takingState, 'taking')} and m.retired_at is null`.execute(
    ctx.tx,
  )
  const common = { type: 'rollback_app' as const, data: { from: rollout.version }, reason, createdBy: ctx.actor.userId }
  const commands = took.rows.map((machine) => ({ ...machine, ...common, id: randomUUID() }))
  await queueCommands(ctx.tx, commands, ctx.now())
  await announce(ctx.tx, { topic: 'commands', machineIds: took.rows.map(({ machineId }) => machineId) })
  return recordMove(ctx, rollout, before, reason)
}

async function recordMove(
  ctx: CommandContext,
  rollout: RolloutRow,
  before: string,
  reason: string,
): Promise<{ id: number }> {
  await audit(ctx, rollout, { state: before }, { state: rollout.state, reason })
  await announce(ctx.tx, { topic: 'answers', machineIds: [] })
  return { id: rollout.id }
}

const audit = (
  ctx: CommandContext,
  { id, version }: { id: number; version: string },
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
) =>
  ctx.audit({
    merchantId: ctx.actor.merchantId,
    objectKind: 'rollout',
    objectId: id,
    before,
    after: { software: version, ...after },
  })
