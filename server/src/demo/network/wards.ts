import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'

/** Where in a hospital the spots of its machines are, by what their names hold. */
const wards = [
  { spot: '门诊大厅1F', building: '门诊楼', floor: '1F' },
  { spot: '门诊药房旁', building: '门诊楼', floor: '1F' },
  { spot: '儿科候诊区', building: '门诊楼', floor: '2F' },
  { spot: '急诊1F', building: '急诊楼', floor: '1F' },
  { spot: '住院部2F', building: '住院部', floor: '2F' },
  { spot: '体检中心3F', building: '医技楼', floor: '3F' },
  { spot: '影像楼B1', building: '医技楼', floor: 'B1' },
  { spot: '停车楼入口', building: '停车楼', floor: '1F' },
]

/** A point for each building and floor where a hospital's machines stand; its first one keeps the hospital's name. */
export async function seedWards(tx: Tx): Promise<void> {
  const all = rows('w', wards, { spot: 'text', building: 'text', floor: 'text' })
  const placed = sql`select m.id, m.point_id, w.building, w.floor from machine m
    join point p on p.id = m.point_id and p.kind = 'hospital' join ${all} on m.name like '%' || w.spot || '%'`
  await sql`update point set building = first.building, floor = first.floor
    from (select distinct on (point_id) point_id, building, floor from (${placed}) placed order by point_id, id) first
    where point.id = first.point_id`.execute(tx)
  await sql`with placed as (${placed}), made as (
      insert into point (merchant_id, name, kind, province, city, address, longitude, latitude, hospital_id, building,
        floor)
      select distinct on (p.id, l.building, l.floor) p.merchant_id, p.name || ' ' || l.building || l.floor, p.kind,
        p.province, p.city, p.address, p.longitude, p.latitude, p.hospital_id, l.building, l.floor
      from placed l join point p on p.id = l.point_id
      where (l.building, l.floor) <> (p.building, p.floor)
      returning id, merchant_id, hospital_id, building, floor)
    update machine set point_id = made.id
    from placed join point old on old.id = placed.point_id
    join made on made.hospital_id = old.hospital_id and made.merchant_id = old.merchant_id
      and made.building = placed.building and made.floor = placed.floor
    where machine.id = placed.id`.execute(tx)
}

/** What was noted of each machine when it was made and put up; medicine is held at a temperature, the rest cooled. */
export async function seedMachineFacts(tx: Tx): Promise<void> {
  await sql`update machine m set software_version = case when id % 4 = 0 then '3.8' else '3.9' end,
      hardware_version = case when id % 3 = 0 then 'B2' else 'B3' end,
      manufactured_on = made.day, warranty_until = (made.day + interval '3 years')::date,
      slot_mode = case when category = 'drink' and id % 3 = 0 then 'pusher' when id % 11 = 0 then 'belt'
        else 'spiral' end,
      locks_stock = category = 'medicine', ships_after_jam = category <> 'medicine' and id % 5 = 0,
      humidity_min = case when category = 'medicine' then 35 end,
      humidity_max = case when category = 'medicine' then 75 end,
      flow_alarm_mb = case when id % 2 = 0 then 2048 else 0 end,
      thermostat = made.thermostat, thermostat_told = made.thermostat
    from (select id as mid, deployed_at::date - 40 - (id % 90)::int as day, case
        when temperature_min_c is null then null
        when category = 'medicine' then jsonb_build_object('mode', 'constant', 'workingC', 20, 'periods', '[]'::jsonb)
        else jsonb_build_object('mode', 'cooling', 'workingC', 6, 'periods',
          '[{"from": "07:00", "to": "23:00"}]'::jsonb) end as thermostat from machine) made
    where made.mid = m.id`.execute(tx)
}
