import {
  acknowledgeSystemAlarm,
  getSystemAlarm,
  listSystemAlarms,
  systemAlarmState,
} from '@aisle/contract/audit/systemAlarm'
import type { CommandContext, QueryContext } from '../../kernel/context'
import { existing, refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as store from './systemAlarm.store'

/** They are about the platform as a whole, so only who sees all of it sees them. */
const seesAll = ({ actor }: QueryContext): boolean => sightOf(actor).kind === 'all'

export const routes: Route[] = [
  ...listOf(listSystemAlarms, (ctx, input) => store.listSystemAlarmsFor(input, seesAll(ctx))),
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

const findSeen = async (ctx: QueryContext, id: number) =>
  existing(seesAll(ctx) ? await store.find(ctx.db, id) : undefined)
