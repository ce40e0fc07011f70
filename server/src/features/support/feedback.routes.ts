import { addFeedback, feedbackState } from '@aisle/contract/support/feedback'
import { sql } from 'kysely'
import { only } from '../../kernel/must'
import { refuse } from '../../kernel/refuse'
import { command, type Route } from '../../kernel/route'

/** A person who says more than this in an hour is a program. */
const MOST_AN_HOUR = 20
const HOUR_MS = 3600_000

export const routes: Route[] = [
  command(addFeedback, async (ctx, { kind, body, contact, page }) => {
    const { userId, merchantId } = ctx.actor
    const recent = await sql<{ count: number }>`select count(*) as count from (select 1 from feedback
      where user_id = ${userId} and created_at > ${new Date(ctx.now().getTime() - HOUR_MS)}
      limit ${sql.lit(MOST_AN_HOUR)}) counted`.execute(ctx.tx)
    if ((recent.rows[0]?.count ?? 0) >= MOST_AN_HOUR) refuse('feedback.tooMany')
    const state = feedbackState.initial
    const made = await sql<{ id: number }>`insert into feedback (merchant_id, user_id, kind, body, contact, page, state,
        created_at)
      values (${merchantId}, ${userId}, ${kind}, ${body}, ${contact}, ${page}, ${state}, ${ctx.now()})
      returning id`.execute(ctx.tx)
    const id = only(made).id
    await ctx.audit({ merchantId, objectKind: 'feedback', objectId: id, before: null, after: { kind, page, state } })
    return { id, state }
  }),
]
