import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    prescriptions: 'merchant',
  },
  fields: {
    // Of the merchant that the doctor writes for; refused where it is none of its hospitals (pharmacy.test.ts asks).
    'pharmacy.writePrescription.hospitalId': null,
    'pharmacy.editPrescription.hospitalId': null,
    // An order that holds nothing of the prescription is as good as none.
    'pharmacy.releasePrescription.orderId': null,
    'pharmacy.listPrescriptions.productId': null,
    'pharmacy.listPrescriptionSales.productId': null,
  },
  given: {
    'pharmacy.approvePrescription': { contentHash: '0'.repeat(64) },
    'pharmacy.rejectPrescription': { contentHash: '0'.repeat(64) },
  },
  // Doctors write what machines of their line hold, whoever of it made the product.
  showsAbove: ['pharmacy.getPractice', 'pharmacy.listMedicineChoices'],
  showsBelow: ['pharmacy.listMedicineChoices'],
  rows: {
    prescriptions: async (db, { merchantId, mark, idOf, at }) =>
      inserted(
        db,
        // Two: the walk cancels the first one.
        sql`insert into prescription (code, merchant_id, state, doctor_id, department, patient_sealed, patient_masked,
            patient_name_hash, sex, birth_year, condition, created_at, submitted_at, expires_at)
          select 'RX261120' || ${merchantId} || 'TEST' || n, ${merchantId}, 'submitted', ${await idOf('doctors')},
            ${mark}, '',
            ${mark}, '\\x00', 'unknown', 1980, ${`${mark} cough`}, ${at}, ${at}, ${at}::timestamptz + interval '3 days'
          from generate_series(1, 2) n`,
      ),
  },
}
