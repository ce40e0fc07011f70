import { addFeedback, feedbackState } from '@aisle/contract/support/feedback'
import { refuse } from '../../kernel/refuse'
import { command, type Route } from '../../kernel/route'
import { countSince, insertFeedback } from './feedback.store'

/** A person who says more than this in an hour is a program. */
const MOST_AN_HOUR = 20
const HOUR_MS = 3600_000

export const routes: Route[] = [
  command(addFeedback, async (ctx, { kind, body, contact, page }) => {
    const { userId, merchantId } = ctx.actor
    const lately = new Date(ctx.now().getTime() - HOUR_MS)
    if ((await countSince(ctx.tx, userId, lately, MOST_AN_HOUR)) >= MOST_AN_HOUR) refuse('feedback.tooMany')
    const state = feedbackState.initial
    const id = await insertFeedback(ctx.tx, { merchantId, userId, kind, body, contact, page, state, at: ctx.now() })
    await ctx.audit({ merchantId, objectKind: 'feedback', objectId: id, before: null, after: { kind, page, state } })
    return { id, state }
  }),
]
