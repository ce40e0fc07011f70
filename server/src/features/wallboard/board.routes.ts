import { OFFLINE_AFTER_MS } from '@aisle/contract/fleet/states'
import { yuan } from '@aisle/contract/kernel/money'
import { type PaymentMethod, paymentMethods } from '@aisle/contract/trade/states'
import {
  doGetTradeStatisticsOfToday,
  doRegisterClient,
  doSendMessage,
  getBoard,
  MAP_POINTS_KEPT,
  type StatisticsRow,
  statisticsColumn,
} from '@aisle/contract/wallboard/board'
import { announce } from '../../kernel/announce'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CallContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { command, open, type Route } from '../../kernel/route'
import { hashToken } from '../../kernel/token'
import {
  boardMerchant,
  countClients,
  figuresOf,
  hours,
  lastWeek,
  machinesOf,
  type MethodRow,
  methodsToday,
  newestPoints,
  registerClient,
  soFar,
} from './board.store'

export const routes: Route[] = [
  open(doRegisterClient, async (ctx, input) => {
    await merchantOf(ctx, input.key)
    await registerClient(ctx.db, input.userId, input.type, hashOf(input.key), ctx.now())
    return {}
  }),
  open(doGetTradeStatisticsOfToday, async (ctx, input) => {
    const methods = await methodsToday(ctx.db, await merchantOf(ctx, input.key), ctx.now())
    return [
      statisticsRow('count', methods, (row) => row.orders),
      statisticsRow('amount', methods, (row) => yuan(row.paidFen)),
    ]
  }),
  open(getBoard, async (ctx, input) => {
    const merchantId = await merchantOf(ctx, input.key)
    const now = ctx.now()
    const { day } = businessTime(now, PLATFORM_TIME_ZONE)
    const hoursLastWeek = await hours(ctx.db, merchantId, lastWeek(day))
    const machines = await machinesOf(ctx.db, merchantId, new Date(now.getTime() - OFFLINE_AFTER_MS))
    return {
      figures: await figuresOf(ctx.db, merchantId, now),
      points: await newestPoints(ctx.db, merchantId, MAP_POINTS_KEPT, now),
      hoursToday: await hours(ctx.db, merchantId, day),
      hoursLastWeek,
      lastWeekSoFarFen: soFar(hoursLastWeek, now),
      machinesOnline: machines.online,
      machinesTotal: machines.total,
      at: now.toISOString(),
    }
  }),
  command(doSendMessage, async (ctx) => {
    const boards = await countClients(ctx.tx, ctx.now())
    const after = { boards }
    await ctx.audit({ merchantId: ctx.actor.merchantId, objectKind: 'wallboard', objectId: 'all', before: null, after })
    await announce(ctx.tx, { topic: 'boards', reason: 'asked' })
    return { boards }
  }),
]

const hashOf = (key: string | undefined) => (key ? hashToken(key) : null)

/** What the caller's board may show. A key narrows; without one only an open platform board answers. */
async function merchantOf(ctx: CallContext, key: string | undefined): Promise<number> {
  const found = await boardMerchant(ctx.db, hashOf(key))
  if (found === 'closed') return refuse('wallboard.closed')
  if (found === 'invalid') return refuse('wallboard.keyInvalid')
  return found
}

function statisticsRow(
  classify: string,
  methods: readonly MethodRow[],
  value: (row: MethodRow) => number,
): StatisticsRow {
  const byMethod = new Map(methods.map((row) => [row.method, value(row)]))
  const of = (method: PaymentMethod) => byMethod.get(method) ?? 0
  const columns = paymentMethods.map((method) => [statisticsColumn[method], of(method)])
  // Summed in fen would be exact; a sum of yuan is rounded back to whole fen.
  const allCount = Math.round(paymentMethods.reduce((sum, method) => sum + of(method), 0) * 100) / 100
  return { classify, ...Object.fromEntries(columns), allCount }
}
