import type { addFeedback, feedbackState } from '@aisle/contract/support/feedback'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { only } from '../../kernel/must'

/** What a person said since then; counting stops at `most`. */
export async function countSince(tx: Tx, userId: number, since: Date, most: number): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) as count from (select 1 from feedback
    where user_id = ${userId} and created_at > ${since} limit ${sql.lit(most)}) counted`.execute(tx)
  return only(found).count
}

type Feedback = InputOf<typeof addFeedback> & {
  merchantId: number
  userId: number
  state: typeof feedbackState.initial
  at: Date
}

export async function insertFeedback(tx: Tx, feedback: Feedback): Promise<number> {
  const { merchantId, userId, kind, body, contact, page, state, at } = feedback
  const made = await sql<{ id: number }>`insert into feedback (merchant_id, user_id, kind, body, contact, page, state,
      created_at)
    values (${merchantId}, ${userId}, ${kind}, ${body}, ${contact}, ${page}, ${state}, ${at}) returning id`.execute(tx)
  return only(made).id
}
