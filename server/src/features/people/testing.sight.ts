import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    organisations: 'merchant',
    users: 'merchant',
    doctors: 'merchant',
  },
  fields: {
    organisationId: 'organisations',
    organisationIds: 'organisations',
    parentId: 'organisations',
    userId: 'users',
    userIds: 'users',
    doctorId: 'doctors',
    operatorId: 'organisations',
    deployerId: 'users',
    // Asked of the merchant that the doctor is added to, which the matrix does not name (people/doctor.test.ts does).
    'people.addDoctor.hospitalId': null,
  },
  showsAbove: [
    // People of a merchant may work in a hospital of one above.
    'people.getDoctorChoices',
  ],
  rows: {
    organisations: (db, { merchantId, mark }) =>
      inserted(db, sql`insert into organisation (merchant_id, name) values (${merchantId}, ${`${mark} unit`})`),
    users: async (db, { merchantId, mark, idOf }) =>
      inserted(
        db,
        sql`insert into app_user (merchant_id, account, display_name, kind, organisation_id)
          values (${merchantId}, ${`${mark.toLowerCase()}-of-${merchantId}`}, ${`${mark} person`}, 'ordinary',
            ${await idOf('organisations')})`,
      ),
    doctors: addDoctorRow,
  },
}

async function addDoctorRow(db: Reader, { merchantId, mark }: BranchBase): Promise<number> {
  const id = await inserted(
    db,
    sql`insert into app_user (merchant_id, account, display_name, kind)
      values (${merchantId}, ${`${mark.toLowerCase()}-doctor-${merchantId}`}, ${`${mark} doctor`}, 'doctor')`,
  )
  await sql`insert into doctor (user_id, profession, department) values (${id}, 'doctor', ${mark})`.execute(db)
  return id
}
