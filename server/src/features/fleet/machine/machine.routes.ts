import { allowCodes } from '@aisle/contract/fleet/guesses'
import {
  getMachine,
  listMachines,
  listSlots,
  rotateSecret as rotateSecretEndpoint,
  summariseMachines,
} from '@aisle/contract/fleet/machine'
import { bindMachines, copySettings } from '@aisle/contract/fleet/machineBatch'
import { addMachine, bringBackMachine, editMachine, retireMachine } from '@aisle/contract/fleet/machineForm'
import { findBlocks } from '../../../kernel/guesses'
import { existing, refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { allow } from './guess.commands'
import { bind, copy } from './machine.batch.commands'
import { rotateSecret } from './machine.commands'
import { add, edit } from './machine.edit.commands'
import { findMachineDetail, findInSight, findSlots, listMachinesIn, summary } from './machine.reads'
import { bringBack, retire } from './machine.retire.commands'

export const routes: Route[] = [
  ...listOf(listMachines, (ctx, input) => listMachinesIn(sightOf(ctx.actor), input, ctx.now())),
  query(summariseMachines, (ctx) => summary(ctx.db, sightOf(ctx.actor), ctx.now())),
  query(getMachine, async (ctx, input) => {
    const found = await findMachineDetail(ctx.db, sightOf(ctx.actor), input.id, ctx.now())
    return found ? { ...found, ...(await findBlocks(ctx.db, found.id, ctx.now())) } : refuse('request.notFound')
  }),
  query(listSlots, async (ctx, input) => {
    const machine = existing(await findInSight(ctx.db, sightOf(ctx.actor), input.id))
    return findSlots(ctx.db, machine.id)
  }),
  command(rotateSecretEndpoint, (ctx, { id }) => rotateSecret(ctx, id), 'nothing'),
  command(addMachine, add, 'nothing'),
  command(editMachine, edit),
  command(allowCodes, allow),
  command(retireMachine, retire),
  command(bringBackMachine, bringBack, 'nothing'),
  command(bindMachines, bind),
  command(copySettings, copy),
]
