import { addClaim, getClaim, listClaims, passClaim, rejectClaim, summariseClaims } from '@aisle/contract/lottery/claim'
import { getDraw, getPlay, listPlays, summarisePlays } from '@aisle/contract/lottery/play'
import { checkPrizeCode, listRedemptions, redeemPrize } from '@aisle/contract/lottery/prizeCode'
import { listWins, summariseWins } from '@aisle/contract/lottery/statistics'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import { existing } from '../../kernel/refuse'
import { command, listOf, open, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import * as claims from './claim.commands'
import * as claimReads from './claim.reads'
import * as plays from './play.reads'
import * as prizes from './prizeCode.commands'
import * as prizeReads from './prizeCode.reads'
import * as wins from './win.reads'

const SHIPPED_DAYS = 30

function periodOf(asked: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const to = asked.to ?? businessTime(now, PLATFORM_TIME_ZONE).day
  return { from: asked.from ?? addDays(to, 1 - SHIPPED_DAYS), to }
}

export const routes: Route[] = [
  ...listOf(listPlays, (ctx, input) => plays.listPlaysIn(sightOf(ctx.actor), input)),
  query(summarisePlays, (ctx) => plays.summary(ctx.db, sightOf(ctx.actor), ctx.now())),
  query(getPlay, async (ctx, { id }) => {
    const found = await plays.findPlayDetail(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  open(getDraw, async (ctx, { orderNo }) => ({ draw: (await plays.findDraw(ctx.db, orderNo)) ?? null })),
  ...listOf(listWins, (ctx, input) => wins.listWinsIn(ctx.db, sightOf(ctx.actor), input, periodOf(input, ctx.now()))),
  query(summariseWins, (ctx, input) => wins.summary(ctx.db, sightOf(ctx.actor), input, periodOf(input, ctx.now()))),
  ...listOf(listClaims, (ctx, input) => claimReads.listClaimsIn(sightOf(ctx.actor), input)),
  query(summariseClaims, (ctx) => claimReads.summary(ctx.db, sightOf(ctx.actor))),
  query(getClaim, async (ctx, { id }) => existing(await claimReads.findClaimDetail(ctx, id))),
  command(addClaim, claims.add),
  command(passClaim, claims.pass),
  command(rejectClaim, claims.reject),
  query(checkPrizeCode, prizeReads.check),
  ...listOf(listRedemptions, (ctx, input) => prizeReads.listRedemptionsIn(sightOf(ctx.actor), input)),
  command(redeemPrize, prizes.redeem),
]
