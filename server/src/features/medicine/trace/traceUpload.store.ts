import { traceUploadState } from '@aisle/contract/medicine/traceUpload'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import { iso } from '../../../db/instant'
import type { Reader, Tx } from '../../../kernel/context'
import { statesFrom, statesIn, stateTo } from '../../../kernel/states'
import type { Told } from './traceUpload.channel'
import type { Outcome } from './traceUpload.rules'

export type AccountRow = { id: number; merchantId: number; enterpriseNo: string; address: string; secret: Buffer }

export async function accountsOn(db: Reader): Promise<AccountRow[]> {
  const found = await sql<AccountRow>`select id, merchant_id as "merchantId", enterprise_no as "enterpriseNo", address,
    secret from trace_account where is_on order by id`.execute(db)
  return found.rows
}

/** A merchant speaks by its own account, else by the nearest above; one that is off keeps those below silent, too. */
export const accountOf = (merchantPath: string) => sql`(select a.id from trace_account a
  where a.merchant_id = any(${sql.ref(merchantPath)})
  order by array_position(${sql.ref(merchantPath)}, a.merchant_id) desc limit 1)`

export type Due = { id: number; tries: number }

/**
 * What is due of an account, so many at once; another process must not say it at the same time, and if this one dies it
 * is said again after that. Of a pack only the first that was not accepted: the platform is told in order.
 */
export async function takeDue(db: Reader, accountId: number, now: Date, forMs: number, most: number): Promise<Due[]> {
  const taken = await sql<Due>`
    update trace_upload u set state = ${stateTo(traceUploadState, 'send')}, tries = u.tries + 1,
      sent_at = coalesce(u.sent_at, ${now}), next_try_at = ${new Date(now.getTime() + forMs)}
    where u.id in (
      select d.id from trace_upload d join merchant m on m.id = d.merchant_id
      where d.state in ${statesIn(traceUploadState, 'due')} and d.next_try_at <= ${now}
        and d.merchant_id in (select below.id from trace_account a join merchant below
          on below.path @> array[a.merchant_id] where a.id = ${accountId})
        and ${accountOf('m.path')} = ${accountId}
        and not exists (select from trace_upload before where before.trace_code_id = d.trace_code_id
          and before.id < d.id and before.state <> 'accepted')
      order by d.next_try_at, d.id limit ${sql.lit(most)} for update of d skip locked)
      and u.state in ${statesFrom(traceUploadState, 'send')}
    returning u.id, u.tries`.execute(db)
  return taken.rows
}

export async function findReports(db: Reader, ids: readonly number[]): Promise<Told[]> {
  const found = await sql<Told>`
    select u.id, u.kind, t.code, t.scheme, t.level, p.code as product,
      coalesce(d.approval_number, '') as "approvalNumber", coalesce(u.batch, e.batch, t.batch) as batch,
      to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn", ${iso('e.at')} as at, m.code as machine,
      case when e.verb = 'sell' then e.reference end as "order"
    from trace_upload u join trace_event e on e.id = u.event_id join trace_code t on t.id = u.trace_code_id
    join product p on p.id = e.product_id left join medicine d on d.product_id = p.id
    left join medicine_batch b on b.product_id = p.id and b.number = coalesce(u.batch, e.batch, t.batch)
    left join slot s on s.place_id = e.place_id left join machine m on m.id = s.machine_id
    where u.id = any(${[...ids]}::bigint[]) order by u.id`.execute(db)
  return found.rows
}

type Next = { id: number; nextTryAt: Date; problem: string }

/** What the platform says of items counts once: an answer that is repeated finds nothing that waits. */
export async function keepAnswers(tx: Tx, outcomes: readonly Outcome[], later: readonly Next[], at: Date) {
  const ended = outcomes.filter(({ outcome }) => outcome !== 'pending')
  await sql`update trace_upload u set answered_at = ${at}, reason = c.reason, problem = '',
      state = case c.outcome when 'accepted' then ${stateTo(traceUploadState, 'accept')}
        else ${stateTo(traceUploadState, 'refuse')} end
    from ${rows('c', ended, { id: 'bigint', outcome: 'text', reason: 'text' })}
    where u.id = c.id and u.state in ${statesFrom(traceUploadState, 'accept')}`.execute(tx)
  await sql`update trace_upload u set next_try_at = c.next_try_at, problem = c.problem
    from ${rows('c', later, { id: 'bigint', nextTryAt: 'timestamptz', problem: 'text' })}
    where u.id = c.id and u.state in ${statesIn(traceUploadState, 'due')}`.execute(tx)
}
