import {
  acknowledgeTarget,
  addRecall,
  cancelRecall,
  closeRecall,
  getRecall,
  getRecallProof,
  giveUpTarget,
  listRecallOrders,
  listRecalls,
  listRecallTargets,
  noteRecall,
  pullTarget,
  startRecall,
} from '@aisle/contract/medicine/recall'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as recalls from './recall.commands'
import { findProof } from './recall.proof'
import { findRecall, recallOrdersIn, recallsIn, recallTargetsIn } from './recall.reads'
import * as targets from './recall.target.commands'

export const routes: Route[] = [
  ...listOf(listRecalls, recallsIn),
  query(getRecall, async (ctx, { id }) => existing(await findRecall(ctx, id))),
  query(getRecallProof, async (ctx, { id }) => existing(await findProof(ctx, id))),
  ...listOf(listRecallTargets, recallTargetsIn),
  ...listOf(listRecallOrders, recallOrdersIn),
  command(addRecall, recalls.add),
  command(startRecall, recalls.start),
  command(cancelRecall, recalls.cancel),
  command(noteRecall, recalls.note),
  command(closeRecall, recalls.close),
  command(acknowledgeTarget, targets.acknowledge),
  command(pullTarget, targets.pull),
  command(giveUpTarget, targets.giveUp),
]
