import type { AlarmCause } from '@aisle/contract/alarm/states'
import { dateTimeFormat } from '@aisle/contract/kernel/formatters'
import type { Language } from '@aisle/contract/kernel/text'
import { alarmRemindHours } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { word } from '../../kernel/words'
import { conditionOf } from './alarm.words'
import { limitOf } from './watch.store'

/** What people of a merchant are told in one message: one cause, on one machine or many. */
export type News = {
  id: number
  merchantId: number
  isStock: boolean
  varsIn: (language: Language) => { machine: string; condition: string; at: string }
}

type Row = {
  id: number
  merchantId: number
  timeZone: string
  code: string
  name: string
  cause: AlarmCause
  slotCode: string
  facts: Record<string, string | number>
  openedAt: Date
}

const NAMED = 3

/**
 * New alarms that are worth a message, and machines that stay offline without anybody having taken that up; what is
 * only a notice stands in the list.
 */
export async function takeNews(tx: Tx, now: Date): Promise<News[]> {
  const found = await sql<Row>`with due as (
      select id from alarm where told_at is null and state <> 'closed' union all
      select a.id from alarm a join merchant c on c.id = a.merchant_id
      where a.cause = 'offline' and a.state = 'open'
        and a.told_at <= ${now}::timestamptz - ${limitOf(alarmRemindHours)} * interval '1 hour'),
    told as (
      update alarm set told_at = ${now} where id in (select id from due)
      returning id, machine_id, cause, slot_code, facts, level, opened_at, merchant_id)
    select t.id, m.merchant_id as "merchantId", m.time_zone as "timeZone", m.code, m.name, t.cause,
      t.slot_code as "slotCode", t.facts, t.opened_at as "openedAt"
    from told t join machine m on m.id = t.machine_id where t.level <> 'notice' order by t.id`.execute(tx)
  const groups = new Map<string, { first: Row; rows: Row[] }>()
  for (const row of found.rows) {
    const key = `${row.merchantId}/${row.cause}`
    const group = groups.get(key) ?? { first: row, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ first, rows }) => newsOf(first, rows))
}

function newsOf(first: Row, rows: readonly Row[]): News {
  const { id, merchantId, cause, slotCode, facts, openedAt, timeZone } = first
  const machines = [...new Map(rows.map((row) => [row.code, row])).values()]
  const names = machines.slice(0, NAMED).map(({ code, name }) => `${name}（${code}）`)
  const more = machines.length - names.length
  const at = dateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(openedAt)
  return {
    id,
    merchantId,
    isStock: cause === 'out_of_stock',
    varsIn: (language) => ({
      machine: names.join(' / ') + (more > 0 ? ` ${word(language, 'alarm', 'told.more', { count: more })}` : ''),
      condition:
        rows.length > 1 ? word(language, 'alarm', `cause.${cause}`) : conditionOf(language, { cause, slotCode, facts }),
      at,
    }),
  }
}
