import { type RawBuilder, sql } from 'kysely'

/** Where a product is planned or offered, and what happened with it: then its name is part of the story. */
export const usesOf = (id: number): RawBuilder<{ name: string }> => sql`
  select m.code || ' ' || s.code as name from slot s join machine m on m.id = s.machine_id where s.product_id = ${id}
  union all
  select m.code || ' ' || s.code from slot s join machine m on m.id = s.machine_id where s.next_product_id = ${id}
  union all
  select t.name from template_slot x join template t on t.id = x.template_id where x.product_id = ${id}
  union all
  select a.name from assortment_product x join assortment a on a.id = x.assortment_id where x.product_id = ${id}
  union all
  select coalesce(m.code || ' ' || s.code, p.name) from stock_level l join place p on p.id = l.place_id
    left join slot s on s.place_id = p.id left join machine m on m.id = s.machine_id where l.product_id = ${id}
  union all
  select b.description from pickup_content x join pickup_batch b on b.id = x.batch_id where x.product_id = ${id}
  union all
  select u.display_name from prescription_item x join prescription r on r.id = x.prescription_id
    join app_user u on u.id = r.doctor_id where x.product_id = ${id}
  union all
  select k.paid_percent || ' %' from markdown k where k.product_id = ${id}
  union all
  select c.name from combination_item x join combination c on c.id = x.combination_id where x.product_id = ${id}
  union all
  select number from medicine_batch where product_id = ${id}
  union all
  select m.code || ' ' || x.slot_code from remote_ship x join machine m on m.id = x.machine_id
    where x.product_id = ${id}
  union all
  select x.slot_code from machine_test_slot x where x.product_id = ${id}
  union all
  select m.code from lottery_play x join machine m on m.id = x.machine_id where x.product_id = ${id}`
