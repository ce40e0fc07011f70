import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { treatments } from '../data/prescriptions'

export type Practitioner = {
  id: number
  merchantId: number
  profession: 'doctor' | 'pharmacist'
  hospitalId: number | null
  department: string
  licenceNumber: string
}

type Treatment = {
  productId: number
  productCode: string
  name: string
  condition: string
  advice: string
  dose: number
  timesADay: number
  days: number
  usage: string
}

export type Practice = {
  people: Practitioner[]
  medicines: Treatment[]
  /** Hospital machines, with what of prescription medicine stands in them. */
  machines: { code: string; regionId: number; productCodes: string[] }[]
}

/** Who writes and signs, what was sold, and where. */
export async function readPractice(tx: Tx): Promise<Practice> {
  const people = await sql<Practitioner>`
    select u.id, u.merchant_id as "merchantId", d.profession, d.hospital_id as "hospitalId", d.department,
      l.number as "licenceNumber"
    from doctor d join app_user u on u.id = d.user_id and u.state = 'active'
    join licence l on l.user_id = u.id and l.kind = d.profession || '_practice' and l.revoked_at is null
      and coalesce(l.valid_to, '9999-12-31') > current_date
    order by u.id`.execute(tx)
  const known = treatments.map(({ conditions, ...each }) => ({ ...each, condition: conditions[0] ?? '' }))
  const medicines = await sql<Treatment>`
    select distinct on (p.name) p.id as "productId", p.code as "productCode", t.name, t.condition, t.advice, t.dose,
      t.times_a_day as "timesADay", t.days, t.usage
    from ${rows('t', known, {
      name: 'text',
      condition: 'text',
      advice: 'text',
      dose: 'int',
      timesADay: 'int',
      days: 'int',
      usage: 'text',
    })} join product p on p.name = t.name order by p.name, p.id`.execute(tx)
  const machines = await sql<Practice['machines'][number]>`
    select k.code, m.path[2] as "regionId", array_agg(distinct p.code order by p.code) as "productCodes"
    from machine k join merchant m on m.id = k.merchant_id join slot s on s.machine_id = k.id
    join product p on p.id = s.product_id and p.medicine_class = 'rx'
    where k.licence_mode = 'hospital' group by 1, 2 order by 1`.execute(tx)
  return {
    people: people.rows,
    medicines: medicines.rows,
    machines: machines.rows,
  }
}
