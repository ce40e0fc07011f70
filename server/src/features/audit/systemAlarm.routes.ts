import {
  acknowledgeSystemAlarm,
  getSystemAlarm,
  listSystemAlarms,
  systemAlarmState,
} from '@aisle/contract/audit/systemAlarm'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { isPlatform, platformRow } from '../../kernel/scope'
import * as store from './systemAlarm.store'

export const routes: Route[] = [
  ...listOf(listSystemAlarms, (ctx, input) => store.listSystemAlarmsFor(input, isPlatform(ctx))),
  query(getSystemAlarm, async (ctx, { id }) => findSeen(ctx, id)),
  command(acknowledgeSystemAlarm, async (ctx: CommandContext, { id, note }) => {
    const alarm = await findSeen(ctx, id)
    const isMoved = await store.acknowledge(ctx.tx, { id, note, userId: ctx.actor.userId, now: ctx.now() })
    if (!isMoved) refuse('systemAlarm.state')
    const state = systemAlarmState.to('acknowledge')
    await ctx.audit({
      merchantId: ctx.actor.merchantId,
      objectKind: 'systemAlarm',
      objectId: id,
      before: { state: alarm.state },
      after: { state, note },
    })
    return { id }
  }),
]

/** They are about the platform as a whole, so only who sees all of it sees them. */
const findSeen = async (ctx: QueryContext, id: number) => existing(await store.find(platformRow(ctx).db, id))
