import type { AlarmCause } from '@aisle/contract/alarm/states'
import { dateTimeFormat } from '@aisle/contract/kernel/formatters'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { word } from '../../kernel/words'
import { conditionOf } from './alarm.words'

/** What people of a merchant are told in one message: one cause, on one machine or many. */
export type News = {
  id: number
  merchantId: number
  isStock: boolean
  at: Date
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

/** New alarms that are worth a message, each once; what is only a notice stands in the list. */
export async function takeNews(tx: Tx, now: Date): Promise<News[]> {
  const found = await sql<Row>`with told as (
      update alarm set told_at = ${now} where told_at is null and state <> 'closed'
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
    at: openedAt,
    varsIn: (language) => ({
      machine: names.join(' / ') + (more > 0 ? ` ${word(language, 'alarm', 'told.more', { count: more })}` : ''),
      condition:
        rows.length > 1 ? word(language, 'alarm', `cause.${cause}`) : conditionOf(language, { cause, slotCode, facts }),
      at,
    }),
  }
}
