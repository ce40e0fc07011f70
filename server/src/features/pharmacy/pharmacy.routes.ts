import { getPractice, listMedicineChoices } from '@aisle/contract/pharmacy/medicine'
import { getPrescription, listPrescriptions, summarisePrescriptions } from '@aisle/contract/pharmacy/prescription'
import {
  approvePrescription,
  rejectPrescription,
  releasePrescription,
  revealPatient,
} from '@aisle/contract/pharmacy/review'
import { getPrescriptionSales, listPrescriptionSales } from '@aisle/contract/pharmacy/sales'
import {
  amendPrescription,
  cancelPrescription,
  editPrescription,
  submitPrescription,
  warnOfPrescription,
  writePrescription,
} from '@aisle/contract/pharmacy/write'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import * as medicines from './medicine.reads'
import * as commands from './prescription.commands'
import { findPrescriptionDetail } from './prescription.detail'
import * as prescriptions from './prescription.reads'
import * as review from './review.commands'
import * as sales from './sales.reads'

export const routes: Route[] = [
  ...listOf(listPrescriptions, prescriptions.listPrescriptionsIn),
  query(summarisePrescriptions, (ctx) => prescriptions.summary(ctx)),
  query(getPrescription, async (ctx, { id }) => existing(await findPrescriptionDetail(ctx, id))),
  ...listOf(listMedicineChoices, medicines.choices),
  query(getPractice, (ctx) => medicines.practice(ctx)),
  query(warnOfPrescription, medicines.warnOf),
  command(writePrescription, commands.write),
  command(editPrescription, commands.edit),
  command(submitPrescription, commands.submit),
  command(amendPrescription, commands.amend),
  command(cancelPrescription, commands.cancel),
  command(approvePrescription, review.approve),
  command(rejectPrescription, review.reject),
  command(releasePrescription, review.release),
  command(revealPatient, review.reveal, 'nothing'),
  ...listOf(listPrescriptionSales, sales.listPrescriptionSalesIn),
  query(getPrescriptionSales, sales.summary),
]
