import { sharingModes } from '@aisle/contract/payment/states'
import { type RawBuilder, sql } from 'kysely'

/**
 * The rule by which orders of a machine are shared on a day: of the machine, else of a group of it, else of its
 * merchant or the nearest above; the newest of equals. At most one row of `split_rule`.
 */
export const nearestSplitRule = (machine: RawBuilder<unknown>, day: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select r.* from machine at join merchant its on its.id = at.merchant_id
  join split_rule r on r.merchant_id = any(its.path) and (r.machine_id is null or r.machine_id = at.id)
    and (r.group_id is null or r.group_id in (select group_id from machine_group_member where machine_id = at.id))
    and r.valid_from <= ${day} and (r.valid_to is null or r.valid_to >= ${day})
  where at.id = ${machine}
  order by r.machine_id is null, r.group_id is null, array_position(its.path, r.merchant_id) desc,
    r.valid_from desc, r.id desc limit 1`

/** Receivers `v` of lines `l` are bound through the same contract and number as account `c`. */
export const isReceiverOf = sql<boolean>`exists (select from payment_account b where b.id = v.account_id
  and b.provider_account_id = c.provider_account_id and b.sub_merchant_no = c.sub_merchant_no)`

/** Accounts `c` whose money may be shared at the channel: it never lay with somebody else. */
export const isSharing = sql<boolean>`c.funds_mode = any(${[...sharingModes]}::text[])`

/**
 * What an attempt `a` is to be asked for with: null where nobody shares, also where none of the rule's receivers is of
 * the channel.
 */
export const splitRuleOfAttempt = sql`(select n.id from payment_account c
  cross join lateral (${nearestSplitRule(sql`a.machine_id`, sql`a.business_day`)}) n
  where c.id = a.account_id and ${isSharing} and exists (select from split_rule_line l
    join split_receiver v on v.id = l.receiver_id where l.rule_id = n.id and ${isReceiverOf}))`
