import { endpointsIn, exportable, type Manifest } from '../kernel/manifest'
import * as batchCalls from './batch'
import * as careCalls from './care'
import * as combinationCalls from './combination'
import * as expiryCalls from './expiry'
import * as pairCalls from './ingredientPair'
import * as limitCalls from './limit'
import * as medicineCalls from './medicine'
import * as offerCalls from './offer'
import * as recallCalls from './recall'
import * as traceCalls from './trace'
import * as traceUploadCalls from './traceUpload'

export const medicine: Manifest = {
  endpoints: endpointsIn([
    batchCalls,
    recallCalls,
    careCalls,
    expiryCalls,
    combinationCalls,
    limitCalls,
    medicineCalls,
    offerCalls,
    pairCalls,
    traceCalls,
    traceUploadCalls,
  ]),
  exports: [
    exportable(medicineCalls.listMedicines, medicineCalls.medicine.fields, 'medicine', 'ypgl/yplb'),
    exportable(limitCalls.listLimits, limitCalls.limitFields, 'medicine', 'ypgl/yplb'),
    exportable(pairCalls.listIngredientPairs, pairCalls.ingredientPair.fields, 'medicine', 'ypgl/yplb'),
    exportable(expiryCalls.listExpiring, expiryCalls.expiryFields, 'medicine', 'ypgl/ypqx'),
    exportable(careCalls.listCareTasks, careCalls.careFields, 'medicine', 'ypgl/ypyh'),
    exportable(batchCalls.listBatches, batchCalls.batchFields, 'medicine', 'ypgl/yppc'),
    exportable(recallCalls.listRecallTargets, recallCalls.targetFields, 'medicine', 'ypgl/yppc'),
    exportable(recallCalls.listRecallOrders, recallCalls.soldOrderFields, 'medicine', 'ypgl/yppc'),
    exportable(combinationCalls.listCombinations, combinationCalls.combination.fields, 'medicine', 'ypgl/ypzhlb'),
    exportable(offerCalls.listMedicineOffers, offerCalls.medicineOffer.fields, 'medicine', 'ypgl/ydsp'),
    exportable(traceCalls.listTraces, traceCalls.traceFields, 'medicine', 'ypgl/yplb'),
    exportable(traceCalls.listUncoded, traceCalls.uncodedFields, 'medicine', 'ypgl/yplb'),
    exportable(traceUploadCalls.listTraceUploads, traceUploadCalls.traceUploadFields, 'medicine', 'ypgl/yplb'),
  ],
}
