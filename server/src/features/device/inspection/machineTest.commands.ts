import {
  type noteTest,
  type startTest,
  type stopTest,
  testSlotState,
  type TestState,
  testState,
} from '@aisle/contract/device/machineTest'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import { announce } from '../../../kernel/announce'
import { refusedBy } from '../../../kernel/constraint'
import type { CommandContext } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import { existing, refusal, refuse } from '../../../kernel/refuse'
import { machineInSight, sightOf } from '../../../kernel/scope'
import { isInOrder } from '../../trade/public'
import { cancelCommands } from '../command/command.store'
import { endTest, goOn } from './machineTest.results'
import { findTargets } from '../command/target.reads'

/** The first motor is asked now; each that ends asks the next, so a machine never turns two for it. */
export async function start(ctx: CommandContext, input: InputOf<typeof startTest>): Promise<{ id: number }> {
  const { id: machineId, scope, slot, layer, putsBack, reason } = input
  const machine = existing((await findTargets(ctx.tx, sightOf(ctx.actor), { ids: [machineId] }, ctx.now()))[0])
  const { code, merchantId } = machine
  if (machine.isRetired) refuse('command.retired', { code })
  if (machine.connection !== 'online') refuse('command.offline', { code })
  if (await isInOrder(ctx.tx, machineId)) refuse('test.inOrder', { code })
  const made = await refusedBy(
    'machine_test_running',
    sql<{ id: number }>`insert into machine_test
        (merchant_id, machine_id, scope, puts_back, reason, started_by, started_at)
      values (${merchantId}, ${machineId}, ${scope}, ${putsBack}, ${reason}, ${ctx.actor.userId}, ${ctx.now()})
      returning id`.execute(ctx.tx),
    () => refusal('test.running', { code }),
  )
  const id = only(made).id
  const which = { slot: sql`code = ${slot ?? ''}`, layer: sql`layer = ${layer ?? 0}`, all: sql`true` }[scope]
  const added = await sql`insert into machine_test_slot (test_id, place, slot_id, slot_code, product_id)
    select ${id}, row_number() over (order by layer, position), id, code, product_id from slot
    where machine_id = ${machineId} and ${which}`.execute(ctx.tx)
  if (added.numAffectedRows === 0n) refuse('test.noSlots', { code })
  const slots = Number(added.numAffectedRows)
  await goOn(ctx.tx, [id], ctx.now())
  await ctx.audit({
    merchantId,
    objectKind: 'machineTest',
    objectId: id,
    before: null,
    after: { machine: code, scope, slots, putsBack, reason },
  })
  await announce(ctx.tx, { topic: 'commands', machineIds: [machineId] })
  return { id }
}

type Row = { id: number; merchantId: number; machineId: number; code: string; state: TestState }

async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`select t.id, t.merchant_id as "merchantId", t.machine_id as "machineId", m.code, t.state
    from machine_test t join machine m on m.id = t.machine_id
    where t.id = ${id} and ${machineInSight(sightOf(ctx.actor), sql`t.machine_id`)} for update of t`.execute(ctx.tx)
  return existing(found.rows[0])
}

/** A motor that turns by then turns to its end, and what it says is still written down. */
export async function stop(ctx: CommandContext, { id }: InputOf<typeof stopTest>): Promise<{ id: number }> {
  const test = await load(ctx, id)
  if (!testState.can(test.state, 'stop')) refuse('test.over')
  await cancelCommands(
    ctx.tx,
    sql`c.id in (select command_id from machine_test_slot
      where test_id = ${id} and state = ${testSlotState.to('begin')})`,
    ctx.now(),
  )
  await endTest(ctx.tx, id, 'stop', ctx.now())
  await audit(ctx, test, { state: test.state }, { state: testState.to('stop') })
  await announce(ctx.tx, { topic: 'answers', machineIds: [test.machineId] })
  return { id }
}

export async function note(ctx: CommandContext, { id, note: text }: InputOf<typeof noteTest>): Promise<{ id: number }> {
  const test = await load(ctx, id)
  await sql`update machine_test set note = ${text} where id = ${id}`.execute(ctx.tx)
  await audit(ctx, test, null, { note: text })
  await announce(ctx.tx, { topic: 'answers', machineIds: [test.machineId] })
  return { id }
}

const audit = (
  ctx: CommandContext,
  { id, merchantId, code }: Row,
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
) => ctx.audit({ merchantId, objectKind: 'machineTest', objectId: id, before, after: { machine: code, ...after } })
