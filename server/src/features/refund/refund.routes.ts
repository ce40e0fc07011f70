import {
  agreeProblem,
  confirmProblem,
  dropProblem,
  getProblem,
  listProblems,
  summariseProblems,
} from '@aisle/contract/refund/problem'
import { getRefund, getRefundable, listRefunds, summariseRefunds } from '@aisle/contract/refund/refund'
import {
  agreePayBack,
  applyRefund,
  approveRefund,
  dropPayBack,
  payBackRefund,
  queryRefund,
  rejectRefund,
  retryRefund,
} from '@aisle/contract/refund/verbs'
import {
  agreeUnclaimed,
  attachUnclaimed,
  dropUnclaimed,
  getUnclaimed,
  listUnclaimed,
  refundUnclaimed,
  retryUnclaimed,
} from '@aisle/contract/refund/unclaimed'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as payBack from './payBack.commands'
import * as cases from './problem.commands'
import * as problems from './problem.reads'
import * as refunds from './refund.commands'
import { findRefundDetail } from './refund.detail'
import { listRefundsIn, summary } from './refund.reads'
import { refundable } from './refundable'
import * as unclaimed from './unclaimed.commands'
import * as unclaimedReads from './unclaimed.reads'

export const routes: Route[] = [
  ...listOf(listRefunds, listRefundsIn),
  query(summariseRefunds, summary),
  query(getRefund, async (ctx, { id }) => existing(await findRefundDetail(ctx, id))),
  query(getRefundable, async (ctx, { orderNo }) => existing(await refundable(ctx, orderNo))),
  command(applyRefund, refunds.apply),
  command(approveRefund, refunds.approve),
  command(rejectRefund, refunds.reject),
  command(retryRefund, refunds.retry),
  command(queryRefund, refunds.queryNow),
  command(payBackRefund, payBack.payBack),
  command(agreePayBack, payBack.agree),
  command(dropPayBack, payBack.drop),
  ...listOf(listProblems, problems.listProblemsIn),
  query(summariseProblems, problems.summary),
  query(getProblem, async (ctx, { id }) => existing(await problems.findProblemDetail(ctx, id))),
  command(confirmProblem, cases.confirm),
  command(agreeProblem, cases.agree),
  command(dropProblem, cases.drop),
  ...listOf(listUnclaimed, unclaimedReads.listUnclaimedIn),
  query(getUnclaimed, async (ctx, { id }) => existing(await unclaimedReads.findUnclaimedDetail(ctx, id))),
  command(refundUnclaimed, unclaimed.giveBack),
  command(attachUnclaimed, unclaimed.attachTo),
  command(agreeUnclaimed, unclaimed.agree),
  command(dropUnclaimed, unclaimed.drop),
  command(retryUnclaimed, unclaimed.retry),
]
