import * as contract from '@aisle/contract/support/feedback'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as feedback from './feedback.commands'
import { findFeedback, helpers, listFeedbackIn, listOwn, summary } from './feedback.reads'

export const routes: Route[] = [
  command(contract.addFeedback, feedback.add),
  ...listOf(contract.listFeedback, listFeedbackIn),
  query(contract.summariseFeedback, summary),
  query(contract.getFeedback, async (ctx, { id }) => existing(await findFeedback(ctx, id))),
  ...listOf(contract.listHelpers, helpers),
  command(contract.takeFeedback, feedback.take),
  command(contract.assignFeedback, feedback.assign),
  command(contract.answerFeedback, feedback.answer),
  command(contract.solveFeedback, feedback.solve),
  command(contract.reopenFeedback, feedback.reopen),
  command(contract.featureFeedback, feedback.mark(true)),
  command(contract.unfeatureFeedback, feedback.mark(false)),
  command(contract.classifyFeedback, feedback.classify),
  command(contract.removeFeedback, feedback.remove),
  command(contract.restoreFeedback, feedback.restore),
  ...listOf(contract.listOwnFeedback, listOwn),
  command(contract.replyFeedback, feedback.reply),
]
