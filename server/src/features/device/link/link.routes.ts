import { randomUUID } from 'node:crypto'
import { getDeviceLink, requestSnapshot } from '@aisle/contract/device/link'
import { brokerAddress } from '@aisle/contract/system/settings'
import { announce } from '../../../kernel/announce'
import { existing } from '../../../kernel/refuse'
import { command, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { settingOf } from '../../../kernel/settings'
import { findInSight } from '../../fleet/public'
import { queueCommands } from '../command/command.store'
import { findLink } from './link.store'

export const routes: Route[] = [
  query(getDeviceLink, async (ctx, input) => {
    const machine = existing(await findInSight(ctx.db, sightOf(ctx.actor), input.id))
    const found = await findLink(ctx.db, machine.id, ctx.now())
    return { ...found, brokerAddress: await settingOf(ctx.db, brokerAddress, null) }
  }),
  command(requestSnapshot, async (ctx, input) => {
    const machine = existing(await findInSight(ctx.tx, sightOf(ctx.actor), input.id))
    const id = randomUUID()
    const asked = { id, merchantId: machine.merchantId, machineId: machine.id, type: 'upload_snapshot' as const }
    await queueCommands(ctx.tx, [{ ...asked, data: {}, reason: null, createdBy: ctx.actor.userId }], ctx.now())
    await ctx.audit({
      merchantId: machine.merchantId,
      objectKind: 'machine',
      objectId: machine.code,
      before: null,
      after: { command: 'upload_snapshot', commandId: id },
    })
    await announce(ctx.tx, { topic: 'commands', machineIds: [machine.id] })
    return { commandId: id }
  }),
]
