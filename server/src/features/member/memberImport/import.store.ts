import { memberState } from '@aisle/contract/member/member'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { CommandContext, Reader, Tx } from '../../../kernel/context'
import type { SheetRow } from '../../../kernel/sheet/sheet.form'
import { statesIn } from '../../../kernel/states'
import { soundOf } from '../../catalog/public'
import { type ImportWorld, type NewMember, personKey, unitKey } from './import.rules'

/** Three statements, however many rows. */
export async function findWorld(
  db: Reader,
  { merchantId, today }: { merchantId: number; today: string },
  sheet: readonly SheetRow[],
): Promise<ImportWorld> {
  const numbers = sheet.map(({ cells }) => (cells.number ?? '').toUpperCase())
  const names = sheet.map(({ cells }) => cells.name ?? '')
  const taken = await sql<{ number: string }>`select number from member
    where number = any(${numbers}::text[])`.execute(db)
  const known = await sql<{ name: string; phone: string }>`select name, phone from member
    where merchant_id = ${merchantId} and state in ${statesIn(memberState, 'known')}
      and name = any(${names}::text[])`.execute(db)
  return {
    today,
    takenNumbers: new Set(taken.rows.map(({ number }) => number)),
    known: new Set(known.rows.map(personKey)),
    units: await findUnits(db, merchantId),
  }
}

/** The whole way says which one is meant where several have one name. */
async function findUnits(db: Reader, merchantId: number): Promise<Map<string, number[]>> {
  const found = await sql<{ id: number; name: string; way: string }>`
    with recursive walk as (
      select id, name, name as way from member_unit where merchant_id = ${merchantId} and parent_id is null
      union all
      select u.id, u.name, w.way || '/' || u.name from walk w join member_unit u on u.parent_id = w.id)
    select id, name, way from walk order by id limit 20000`.execute(db)
  const known = new Map<string, number[]>()
  for (const { id, name } of found.rows) known.set(unitKey(name), [...(known.get(unitKey(name)) ?? []), id])
  for (const { id, way } of found.rows) known.set(unitKey(way), [id])
  return known
}

/** Numbers for those who have none of their own. */
export async function withNumbers(tx: Tx, wanted: readonly NewMember[]): Promise<NewMember[]> {
  const drawn = await sql<{ number: string }>`select 'M' || lpad(nextval('member_number')::text, 8, '0') as number
    from generate_series(1, ${wanted.filter(({ number }) => number === '').length}::int)`.execute(tx)
  const free = drawn.rows.map(({ number }) => number)
  return wanted.map((each) => ({ ...each, number: each.number || (free.pop() ?? '') }))
}

/** Tied to their merchant at once. @returns ids by number; of a number that somebody took meanwhile, none */
export async function insertMembers(
  ctx: CommandContext,
  merchantId: number,
  wanted: readonly NewMember[],
): Promise<Map<string, number>> {
  const lines = wanted.map((each) => ({ ...each, sound: soundOf(each.name), tagList: JSON.stringify(each.tags) }))
  const made = await sql<{ id: number; number: string }>`
    insert into member (number, name, sound, phone, birthday, level, unit_id, tags, parent_name, region, address,
      consented_by, consented_at, merchant_id, registered_at)
    select w.number, w.name, w.sound, w.phone, w.birthday, w.level, w.unit_id,
      array(select jsonb_array_elements_text(w.tag_list)), w.parent_name, w.region, w.address, w.consented_by,
      case when w.consented_by is not null then ${ctx.now()}::timestamptz end, ${merchantId}, ${ctx.now()}
    from ${rows('w', lines, {
      number: 'text',
      name: 'text',
      sound: 'text',
      phone: 'text',
      birthday: 'date',
      level: 'smallint',
      unitId: 'bigint',
      tagList: 'jsonb',
      parentName: 'text',
      region: 'text',
      address: 'text',
      consentedBy: 'text',
    })} order by w.number on conflict do nothing returning id, number`.execute(ctx.tx)
  await sql`insert into member_merchant (member_id, merchant_id, linked_at, linked_by)
    select unnest(${made.rows.map(({ id }) => id)}::bigint[]), ${merchantId}, ${ctx.now()},
      ${ctx.actor.userId}`.execute(ctx.tx)
  return new Map(made.rows.map(({ id, number }) => [number, id]))
}
