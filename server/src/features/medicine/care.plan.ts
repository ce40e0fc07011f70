import { type CareTask, careState } from '@aisle/contract/medicine/care'
import type { StorageClass } from '@aisle/contract/medicine/medicine'
import { careGraceDays, careKeyMonths, careMonths, expiryNearMonths } from '@aisle/contract/system/settings'
import { type RawBuilder, sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { statesIn, stateTo } from '../../kernel/states'
import { settingIn } from './setting.sql'

/** A batch at a machine, a warehouse or in a bag, with what was done for it there. */
export type Lying = {
  batchId: number
  machineId: number | null
  placeId: number | null
  producedOn: string | null
  expiresOn: string
  shelfLifeDays: number | null
  storage: StorageClass
  isLimited: boolean
  today: string
  months: number
  keyMonths: number
  nearMonths: number
  cameOn: string | null
  last: { state: CareTask['state']; since: string; dueOn: string; endedOn: string } | null
  open: { id: number; kind: CareTask['kind']; since: string; dueOn: string } | null
}

/** Where medicines lie: in machines, or in warehouses and the bags of people. */
const holders = (inMachines: boolean): RawBuilder<unknown> =>
  inMachines
    ? sql`select k.id as holder, k.id as machine_id, null::bigint as place_id, s.place_id as at_place, k.time_zone,
        k.merchant_id from machine k join slot s on s.machine_id = k.id where k.retired_at is null`
    : sql`select p.id as holder, null::bigint as machine_id, p.id as place_id, p.id as at_place, c.time_zone,
        p.merchant_id from place p join merchant c on c.id = p.merchant_id
        where p.holds and p.kind in ('warehouse', 'replenisher')`

/** The next of them that hold any. */
export async function findHolders(db: Reader, inMachines: boolean, after: number): Promise<number[]> {
  const found = await sql<{ holder: number }>`select distinct h.holder from (${holders(inMachines)}) h
    where h.holder > ${after} and exists (
      select from batch_level l where l.place_id = h.at_place and l.quantity > 0)
    order by h.holder limit 300`.execute(db)
  return found.rows.map(({ holder }) => holder)
}

/** What lies there. */
export async function findLying(db: Reader, inMachines: boolean, ids: readonly number[], now: Date): Promise<Lying[]> {
  const found = await sql<Lying>`
    with at as (select * from (${holders(inMachines)}) a where a.holder = any(${[...ids]}::bigint[]))
    select b.id as "batchId", h.machine_id as "machineId", h.place_id as "placeId",
      to_char(b.produced_on, 'YYYY-MM-DD') as "producedOn", to_char(b.expires_on, 'YYYY-MM-DD') as "expiresOn",
      p.shelf_life_days as "shelfLifeDays", coalesce(d.storage, 'room') as storage,
      d.limit_group is not null as "isLimited",
      to_char(${now}::timestamptz at time zone h.time_zone, 'YYYY-MM-DD') as today,
      ${settingIn(careMonths)} as months, ${settingIn(careKeyMonths)} as "keyMonths",
      case coalesce(d.storage, 'room') when 'cold' then ${settingIn(expiryNearMonths.cold)}
        when 'cool' then ${settingIn(expiryNearMonths.cool)} else ${settingIn(expiryNearMonths.room)} end
        as "nearMonths",
      case when past.last is null then (select to_char(min(v.moved_at) at time zone h.time_zone, 'YYYY-MM-DD')
        from stock_move v where v.to_place_id = any(h.places) and v.product_id = b.product_id and v.batch = b.number)
      end as "cameOn", past.last, past.open
    from (
      select at.holder, at.machine_id, at.place_id, at.time_zone, at.merchant_id, l.product_id, l.batch,
        array_agg(at.at_place) as places
      from at join batch_level l on l.place_id = at.at_place and l.quantity > 0
      group by 1, 2, 3, 4, 5, 6, 7
    ) h
    join product p on p.id = h.product_id and p.kind = 'medicine' join merchant m on m.id = h.merchant_id
    join medicine_batch b on b.product_id = h.product_id and b.number = h.batch
    left join medicine d on d.product_id = p.id
    left join lateral (
      select json_agg(json_build_object('id', t.id, 'kind', t.kind, 'since', t.since, 'dueOn', t.due_on))
          filter (where t.state = 'open') -> 0 as open,
        json_agg(json_build_object('state', t.state, 'since', t.since, 'dueOn', t.due_on, 'endedOn',
          to_char(t.ended_at at time zone h.time_zone, 'YYYY-MM-DD')) order by t.id desc)
          filter (where t.state in ${statesIn(careState, 'asked')}) -> 0 as last
      from care_task t where t.batch_id = b.id and t.machine_id is not distinct from h.machine_id
        and t.place_id is not distinct from h.place_id
    ) past on true`.execute(db)
  return found.rows
}

export type NewTask = {
  batchId: number
  machineId: number | null
  placeId: number | null
  kind: CareTask['kind']
  reasons: string
  since: string
  dueOn: string
}

export async function insertTasks(tx: Tx, tasks: readonly NewTask[], at: Date): Promise<void> {
  if (tasks.length === 0) return
  await sql`insert into care_task (batch_id, machine_id, place_id, kind, key_reasons, since, due_on, created_at)
    select batch_id, machine_id, place_id, kind, string_to_array(reasons, ','), since, due_on, ${at}
    from ${rows('t', tasks, {
      batchId: 'bigint',
      machineId: 'bigint',
      placeId: 'bigint',
      kind: 'text',
      reasons: 'text',
      since: 'date',
      dueOn: 'date',
    })} on conflict do nothing`.execute(tx)
}

export type Earlier = { id: number; reasons: string; dueOn: string }

/** What has become a key medicine since is due earlier; nothing is ever put off. */
export async function bringForward(tx: Tx, tasks: readonly Earlier[]): Promise<void> {
  if (tasks.length === 0) return
  await sql`update care_task t set kind = 'key', key_reasons = string_to_array(e.reasons, ','),
      due_on = least(t.due_on, e.due_on)
    from ${rows('e', tasks, { id: 'bigint', reasons: 'text', dueOn: 'date' })}
    where t.id = e.id and t.state = 'open'`.execute(tx)
}

/** Open tasks of which nothing is left, and those whose days of grace are over. */
export async function endTasks(tx: Tx, now: Date): Promise<void> {
  await sql`update care_task t set state = ${stateTo(careState, 'drop')}, ended_at = ${now}
    where t.state = 'open' and not exists (
      select from medicine_batch b join batch_level l on l.product_id = b.product_id and l.batch = b.number
      where b.id = t.batch_id and l.quantity > 0 and (l.place_id = t.place_id or l.place_id in (
        select s.place_id from slot s where s.machine_id = t.machine_id)))`.execute(tx)
  await sql`update care_task t set state = ${stateTo(careState, 'miss')}, ended_at = ${now}
    from (
      select o.id, o.due_on + ${settingIn(careGraceDays)} as last_on,
        (${now}::timestamptz at time zone coalesce(k.time_zone, m.time_zone))::date as today
      from care_task o left join machine k on k.id = o.machine_id left join place p on p.id = o.place_id
      join merchant m on m.id = coalesce(k.merchant_id, p.merchant_id)
      where o.state = 'open' and o.due_on < ${now}::timestamptz::date + 1
    ) late where late.id = t.id and t.state = 'open' and late.today > late.last_on`.execute(tx)
}
