import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getDeviceLink } from '@aisle/contract/device/link'
import { sql } from 'kysely'
import { businessTime, PLATFORM_TIME_ZONE } from '../../../kernel/businessDay'
import type { Reader } from '../../../kernel/context'
import { midnight } from '../../../kernel/platformDays'

type Link = Omit<OutputOf<typeof getDeviceLink>, 'brokerAddress'>
type Dated<T, K extends keyof T> = Omit<T, K> & { [P in K]: Date }

export async function findLink(db: Reader, machineId: number, now: Date): Promise<Link> {
  const { day } = businessTime(now, PLATFORM_TIME_ZONE)
  const messages = await sql<Dated<Link['lastMessages'][number], 'at'>>`
    select d.msg_id as "msgId", d.type, d.state, d.reason, d.received_at as at, e.data
    from (select * from device_message where machine_id = ${machineId} order by received_at desc limit 20) d
    left join device_event e on e.machine_id = d.machine_id and e.received_at = d.received_at and e.msg_id = d.msg_id
    order by d.received_at desc`.execute(db)
  const counted = await sql<{ count: number }>`select count(*) as count from device_message
    where machine_id = ${machineId} and received_at >= ${midnight(day)}`.execute(db)
  const commands = await sql<
    Dated<Omit<Link['commands'][number], 'finishedAt'>, 'createdAt'> & { finishedAt: Date | null }
  >`
    select c.id, c.type, c.state, c.reason, u.display_name as "createdBy", c.created_at as "createdAt",
      c.finished_at as "finishedAt"
    from device_command c left join app_user u on u.id = c.created_by
    where c.machine_id = ${machineId} order by c.created_at desc limit 20`.execute(db)
  const refusals = await sql<Dated<Link['refusals'][number], 'at'>>`
    select id, last_at as at, reason, type, detail, count from device_refusal
    where machine_id = ${machineId} order by last_at desc limit 20`.execute(db)
  const gaps = await sql<Dated<Link['gaps'][number], 'since'>>`
    select id, first_seq as first, last_seq as last, opened_at as since from message_gap
    where machine_id = ${machineId} and ended_at is null order by opened_at desc limit 20`.execute(db)
  const log = await sql<Dated<Link['log'][number], 'at'>>`select id, at, level, lines from machine_log
    where machine_id = ${machineId} order by id desc limit 10`.execute(db)
  const plays = await sql<Link['plays'][number]>`
    select to_char(business_day, 'YYYY-MM-DD') as day, ad, plays, seconds from machine_ad_day
    where machine_id = ${machineId}
      and business_day = (select max(business_day) from machine_ad_day where machine_id = ${machineId})
    order by plays desc, ad limit 20`.execute(db)
  return {
    log: log.rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    plays: plays.rows,
    messagesToday: counted.rows[0]?.count ?? 0,
    lastMessages: messages.rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    commands: commands.rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      finishedAt: row.finishedAt?.toISOString() ?? null,
    })),
    refusals: refusals.rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    gaps: gaps.rows.map((row) => ({ ...row, since: row.since.toISOString() })),
  }
}
