import { markdownState } from '@aisle/contract/promotion/markdown'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { stateful } from '../../kernel/states'
import { refuse } from '../../kernel/refuse'
import { settleOffers } from './offer.settle'

/** @throws Refusal markdown.state */
export const markdowns = stateful('markdown', 'state', markdownState, {
  versioned: true,
  refuse: ({ id }) => refuse('markdown.state', { id }),
})

/**
 * Makes the slots sell as the markdowns say now: those whose time has come begin, those whose time is over or of which
 * nothing is left end, and the machines whose prices are others by it are told. Done again, it finds nothing to do.
 * @returns the merchants of which something changed
 */
export async function settleMarkdowns(tx: Tx, now: Date): Promise<number[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('markdowns', 0))`.execute(tx)
  const begun = await markdowns.moveAll(tx, sql`starts_at <= ${now}`, 'start')
  const late = await markdowns.moveAll(tx, sql`ends_at <= ${now}`, 'end', { endedAt: now })
  const ids = begun.map(({ id }) => id)
  const gone = await markdowns.moveAll(tx, goneEverywhere(ids), 'end', { endedAt: now })
  await settleOffers(tx, await fitSlots(tx, await takeDue(tx), now), now)
  return [...new Set([...begun, ...late, ...gone].map(({ merchantId }) => merchantId))]
}

/** Slots of `s` in which markdown `k` holds: the product stands there, and of a batch some is left. */
const holding = sql`
  s.product_id = k.product_id and exists (
    select from machine a where a.id = s.machine_id and a.retired_at is null and (
      k.is_everywhere and exists (
        select from merchant o where o.id = a.merchant_id and k.merchant_id = any(o.path))
      or exists (select from markdown_machine x where x.markdown_id = k.id and x.machine_id = a.id)))
  and (k.batch_id is null or exists (
    select from medicine_batch b join batch_level l on l.product_id = b.product_id and l.batch = b.number
    where b.id = k.batch_id and l.place_id = s.place_id and l.quantity > 0))`

/**
 * Of a batch that nothing is left of where it is sold, and of a product that was to be sold out: among those that have
 * just begun, and those of what is due.
 */
const goneEverywhere = (begun: readonly number[]) => sql`id in (select k.id from markdown k where k.state = 'active'
  and (k.id = any(${begun}::bigint[]) or k.product_id in (select product_id from markdown_due))
  and (k.batch_id is not null or k.ends_at is null) and not exists (
    select from slot s join stock_level v on v.place_id = s.place_id and v.product_id = k.product_id and v.quantity > 0
    where ${holding}))`

/** What may sell at another price by now, as what changes it has noted (0150_markdown_due.sql): each slot once. */
async function takeDue(tx: Tx): Promise<number[]> {
  const due = await sql<{ slotId: number }>`delete from markdown_due returning slot_id as "slotId"`.execute(tx)
  return [...new Set(due.rows.map(({ slotId }) => slotId))]
}

/** @returns the slots that sell by another markdown than before */
async function fitSlots(tx: Tx, slotIds: readonly number[], now: Date): Promise<number[]> {
  if (slotIds.length === 0) return []
  const changed = await sql<{ slotId: number }>`
    with wanted as (
      select distinct on (s.id) s.id as slot_id, k.id as markdown_id
      from slot s join markdown k on ${holding}
      where s.id = any(${slotIds}::bigint[]) and k.state = 'active' order by s.id, k.paid_percent, k.id
    ), over as (
      update markdown_slot o set ended_at = greatest(o.began_at, ${now}::timestamptz)
      where o.slot_id = any(${slotIds}::bigint[]) and o.ended_at is null and not exists (
        select from wanted w where w.slot_id = o.slot_id and w.markdown_id = o.markdown_id)
      returning o.slot_id
    ), gone as (select slot_id from over), begun as (
      insert into markdown_slot (markdown_id, slot_id, began_at)
      select w.markdown_id, w.slot_id, ${now} from wanted w
      where (select count(*) from gone) >= 0 and not exists (
        select from markdown_slot o where o.slot_id = w.slot_id and o.markdown_id = w.markdown_id
          and o.ended_at is null)
      on conflict do nothing returning slot_id
    )
    select slot_id as "slotId" from gone union select slot_id from begun`.execute(tx)
  return changed.rows.map(({ slotId }) => slotId)
}
