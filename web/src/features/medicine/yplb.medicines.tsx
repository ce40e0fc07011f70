import { listIngredientPairs } from '@aisle/contract/medicine/ingredientPair'
import { listLimits } from '@aisle/contract/medicine/limit'
import { listMedicines } from '@aisle/contract/medicine/medicine'
import { findTrace, listTraces, listUncoded } from '@aisle/contract/medicine/trace'
import { listTraceUploads } from '@aisle/contract/medicine/traceUpload'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { LimitList } from './limits'
import { medicineList } from './medicines'
import { PairList } from './pairs'
import { TraceFinder } from './trace/traceFinder'
import { TraceList, UncodedList } from './trace/traces'
import { TraceUploadList } from './trace/traceUploads'

const MedicineList = listPage({ screen: 'ypgl/yplb', part: 'medicines', ...medicineList })

/** For pharmacists: the medicines and each pack by its code daily, limits and what must not meet seldom. */
export default partsPage({
  screen: 'ypgl/yplb',
  words: 'medicine',
  parts: [
    { key: 'medicines', access: listMedicines.access, page: MedicineList },
    { key: 'trace', access: findTrace.access, page: TraceFinder },
    { key: 'traces', access: listTraces.access, page: TraceList },
    { key: 'uncoded', access: listUncoded.access, page: UncodedList },
    { key: 'uploads', access: listTraceUploads.access, page: TraceUploadList },
    { key: 'limits', access: listLimits.access, page: LimitList },
    { key: 'pairs', access: listIngredientPairs.access, page: PairList },
  ],
})
