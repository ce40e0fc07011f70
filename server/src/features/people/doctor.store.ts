import type { UserKind } from '@aisle/contract/identity/permissions'
import type { Doctor } from '@aisle/contract/people/doctor'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'

export type Work = { profession: Doctor['profession']; hospitalId: number | null; department: string }

/** Of somebody without a row yet: a doctor who was added as a user. */
export async function findWork(db: Reader, userId: number): Promise<(Work & { version: number }) | undefined> {
  const found = await sql<Work & { version: number }>`
    select profession, hospital_id as "hospitalId", department, version from doctor
    where user_id = ${userId}`.execute(db)
  return found.rows[0]
}

export async function isDoctor(db: Reader, person: { id: number; kind: UserKind }): Promise<boolean> {
  return person.kind === 'doctor' || (await findWork(db, person.id)) !== undefined
}

export async function putWork(tx: Tx, userId: number, work: Work): Promise<void> {
  await sql`insert into doctor (user_id, profession, hospital_id, department, version)
    values (${userId}, ${work.profession}, ${work.hospitalId}, ${work.department}, 2)
    on conflict (user_id) do update set profession = excluded.profession, hospital_id = excluded.hospital_id,
      department = excluded.department, version = doctor.version + 1`.execute(tx)
}

/** Whether the hospital may be worked in by people of the merchant: its own or of one above, and in use. */
export async function isOpenHospital(db: Reader, merchantId: number, hospitalId: number): Promise<boolean> {
  const found = await sql`select from hospital h join merchant m on m.id = ${merchantId}
    where h.id = ${hospitalId} and h.merchant_id = any(m.path) and h.state = 'active' for key share of h`.execute(db)
  return found.rows.length === 1
}
