import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { Tx } from '../../kernel/context'
import { refusal } from '../../kernel/refuse'

type FirstLicence = {
  merchantId: number
  userId: number
  holder: string
  /** Of whom it is: `doctor` or `pharmacist`. */
  profession: string
  number: string
  issuedBy: string
  validFrom: string
  validTo: string | null
  at: Date
}

/** The licence that comes with a person. @throws Refusal licence.numberTaken */
export async function addFirstLicence(tx: Tx, licence: FirstLicence): Promise<void> {
  const { merchantId, userId, holder, profession, number, issuedBy, validFrom, validTo, at } = licence
  await refusedBy(
    'licence_number',
    sql`insert into licence
        (merchant_id, holder_kind, kind, number, holder, user_id, issued_by, valid_from, valid_to, created_at)
      values (${merchantId}, 'doctor', ${`${profession}_practice`}, ${number}, ${holder}, ${userId}, ${issuedBy},
        ${validFrom}, ${validTo}, ${at})`.execute(tx),
    () => refusal('licence.numberTaken', { number }),
  )
}
