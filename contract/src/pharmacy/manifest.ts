import { type Manifest, exportable, endpointsIn } from '../kernel/manifest'
import * as medicineCalls from './medicine'
import * as prescriptionCalls from './prescription'
import * as reviewCalls from './review'
import * as salesCalls from './sales'
import * as writeCalls from './write'

export const pharmacy: Manifest = {
  endpoints: endpointsIn([medicineCalls, prescriptionCalls, reviewCalls, salesCalls, writeCalls]),
  exports: [
    exportable(prescriptionCalls.listPrescriptions, prescriptionCalls.prescriptionFields, 'pharmacy', 'jygl/cfcx'),
    exportable(salesCalls.listPrescriptionSales, salesCalls.prescriptionSaleFields, 'pharmacy', 'jygl/cfxstj'),
  ],
}
