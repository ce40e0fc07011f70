import type { CustomerKind, CustomerState } from '@aisle/contract/support/customer'
import type { Language } from '@aisle/contract/kernel/text'
import { refundState } from '@aisle/contract/refund/states'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { statesIn } from '../../../kernel/states'
import { isGoneBack } from '../../refund/public'
import { hashOf } from './complain.commands'

export type CaseView = {
  kind: CustomerKind
  amountFen: number
  happenedAt: Date
  goods: string
  body: string
  language: Language
  state: CustomerState
  createdAt: Date
  dueAt: Date | null
  closedAt: Date | null
  machineName: string
  pointName: string
  timeZone: string
  words: { isOurs: boolean; body: string; at: string }[] | null
  /** Nothing of the order but what goes back of it. */
  moneyBack: { amountFen: number; isThere: boolean; at: string }[] | null
}

/** What whoever holds the address of a case is shown of it. */
export async function caseOf(db: Reader, token: string): Promise<CaseView | undefined> {
  if (!/^[\w-]{22}$/.test(token)) return undefined
  const found = await sql<CaseView>`select c.kind, c.amount_fen as "amountFen", c.happened_at as "happenedAt", c.goods,
      c.body, c.language, c.state, c.created_at as "createdAt", c.due_at as "dueAt", c.closed_at as "closedAt",
      m.name as "machineName", p.name as "pointName", m.time_zone as "timeZone",
      (select json_agg(json_build_object('isOurs', w.user_id is not null, 'body', w.body, 'at', w.at) order by w.id)
        from customer_word w where w.case_id = c.id) as words,
      (select json_agg(json_build_object('amountFen', r.amount_fen,
          'isThere', r.state in ${statesIn(refundState, 'back')}, 'at', coalesce(r.ended_at, r.requested_at))
          order by r.id)
        from refund r where r.order_id = c.order_id and ${isGoneBack}) as "moneyBack"
    from customer_case c join machine m on m.id = c.machine_id join point p on p.id = m.point_id
    where c.token_hash = ${hashOf(token)}`.execute(db)
  return found.rows[0]
}
