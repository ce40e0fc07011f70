import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'

export type Practice = {
  profession: 'doctor' | 'pharmacist' | null
  hospitalId: number | null
  department: string
  /** Of the licence to practise that lasts longest; null where none holds today. */
  licenceNumber: string | null
  phone: string | null
  email: string | null
}

const NONE: Practice = {
  profession: null,
  hospitalId: null,
  department: '',
  licenceNumber: null,
  phone: null,
  email: null,
}

/** What somebody is by profession, and whether their licence holds on this day. */
export async function practiceOf(db: Reader, userId: number, day: string): Promise<Practice> {
  const found = await sql<Practice>`
    select coalesce(d.profession, case u.kind when 'doctor' then 'doctor' end) as profession,
      d.hospital_id as "hospitalId", coalesce(d.department, '') as department, l.number as "licenceNumber", u.phone,
      u.email
    from app_user u left join doctor d on d.user_id = u.id
    left join lateral (
      select number from licence l
      where l.user_id = u.id and l.revoked_at is null and l.valid_from <= ${day}::date
        and (l.valid_to is null or l.valid_to >= ${day}::date)
        and l.kind = coalesce(d.profession, 'doctor') || '_practice'
      order by l.valid_to desc nulls first, l.id desc limit 1) l on true
    where u.id = ${userId}`.execute(db)
  return found.rows[0] ?? NONE
}
