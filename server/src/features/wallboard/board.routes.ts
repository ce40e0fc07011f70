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
import { getBoardSection } from '@aisle/contract/wallboard/section'
import { announce } from '../../kernel/announce'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { CallContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { command, open, type Route } from '../../kernel/route'
import { hashToken } from '../../kernel/token'
import { subnetOf } from '../identity/public'
import { type Hour, salesByHour, soldUntil } from '../trade/public'
import {
  countClients,
  figuresOf,
  findShowing,
  machinesOf,
  type MethodRow,
  methodsToday,
  newestPoints,
  registerClient,
  type Showing,
} from './board.store'
import { afterSales, production } from './section.machines'
import type { SectionReads } from './section.parts'
import { readOnce } from './section.shared'
import { customer, merchant, product } from './section.trade'

const sections: SectionReads = { production, afterSales, merchant, product, customer }

export const routes: Route[] = [
  open(doRegisterClient, async (ctx, input) => {
    await showingOf(ctx, input.key)
    const network = subnetOf(ctx.ip)
    const board = { clientId: input.userId, tab: input.type, keyHash: hashOf(input.key), network }
    if (!(await registerClient(ctx.db, board, ctx.now()))) refuse('wallboard.tooMany')
    return {}
  }),
  open(doGetTradeStatisticsOfToday, async (ctx, input) => {
    const { merchantId } = await showingOf(ctx, input.key)
    const methods = await methodsToday(ctx.db, merchantId, ctx.now())
    return [
      statisticsRow('count', methods, (row) => row.orders),
      statisticsRow('amount', methods, (row) => yuan(row.paidFen)),
    ]
  }),
  open(getBoard, async (ctx, input) => {
    const showing = await showingOf(ctx, input.key)
    const { merchantId } = showing
    const now = ctx.now()
    const { day } = businessTime(now, PLATFORM_TIME_ZONE)
    const lastWeek = { day: addDays(day, -7), until: new Date(now.getTime() - WEEK_MS), zone: PLATFORM_TIME_ZONE }
    const whose = { kind: 'sold', merchantId } as const
    const hoursLastWeek = await salesByHour(ctx.db, whose, lastWeek.day)
    const soFar = await soldUntil(ctx.db, whose, { ...lastWeek, hours: hoursLastWeek })
    const points = await newestPoints(ctx.db, showing, MAP_POINTS_KEPT, now)
    const machines = await machinesOf(ctx.db, merchantId, new Date(now.getTime() - OFFLINE_AFTER_MS))
    return {
      figures: await figuresOf(ctx.db, merchantId, now),
      points,
      hoursToday: amountsOf(await salesByHour(ctx.db, whose, day)),
      hoursLastWeek: amountsOf(hoursLastWeek),
      lastWeekSoFarFen: soFar.fen,
      machinesOnline: machines.online,
      machinesTotal: machines.total,
      machinesAbroad: machines.abroad,
      at: now.toISOString(),
    }
  }),
  open(getBoardSection, async (ctx, { tab, key }) => {
    const showing = await showingOf(ctx, key)
    const now = ctx.now()
    const { day: today } = businessTime(now, PLATFORM_TIME_ZONE)
    const what = [tab, showing.merchantId, showing.hidesNames, ctx.language].join(' ')
    const shown = { ...showing, today, now, language: ctx.language }
    // Its counters and points are pushed with each sale and come from the database itself; these are read in turns.
    const { replica } = ctx.services
    const db = replica?.reader()
    const parts = await readOnce(ctx.db, what, () => sections[tab](db ?? ctx.db, shown))
    const at = (db && replica?.holdsAllOf()) || now
    return { tab, ...parts, at: at.toISOString() }
  }),
  command(doSendMessage, async (ctx) => {
    const boards = await countClients(ctx.tx, ctx.now())
    const after = { boards }
    await ctx.audit({ merchantId: ctx.actor.merchantId, objectKind: 'wallboard', objectId: 'all', before: null, after })
    await announce(ctx.tx, { topic: 'boards', reason: 'asked' })
    return { boards }
  }),
]

const WEEK_MS = 7 * 86_400_000

/** 24 amounts in fen. */
const amountsOf = (hours: readonly Hour[]) =>
  Array.from({ length: 24 }, (_, hour) => hours.find((each) => each.hour === hour)?.fen ?? 0)

const hashOf = (key: string | undefined) => (key ? hashToken(key) : null)

/** What the caller's board may show. A key narrows; without one only an open platform board answers. */
async function showingOf(ctx: CallContext, key: string | undefined): Promise<Showing> {
  const found = await findShowing(ctx.db, hashOf(key))
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
