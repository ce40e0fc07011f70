import { getKeptReport, keptReportFields, listKeptReports } from '@aisle/contract/report/kept'
import { getReport, listReportRequests, reportFields } from '@aisle/contract/report/request'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { KeptReportDrawer } from './keptReportDrawer'
import { ReportDrawer } from './reportDrawer'

const screen = 'tjfx/bbdc'
const words = 'report'

const Files = listPage({
  screen,
  part: 'files',
  list: listReportRequests,
  fields: reportFields,
  words,
  columns: ['title', 'state', 'rowsDone', 'rowsTotal', 'format', 'requestedAt', 'expiresAt'],
  filters: ['state'],
  drawer: ReportDrawer,
  live: { kinds: ['reportRequest'], also: [getReport] },
})

const Kept = listPage({
  screen,
  part: 'kept',
  list: listKeptReports,
  fields: keptReportFields,
  words,
  columns: ['name', 'title', 'state', 'period', 'cadence', 'nextAt', 'lastState', 'lastAt', 'format', 'ownerName'],
  filters: ['of'],
  presets: [
    { name: 'own', query: () => ({ of: 'own' }) },
    { name: 'shared', query: () => ({ of: 'shared' }) },
  ],
  drawer: KeptReportDrawer,
  live: { kinds: ['keptReport', 'reportRequest'], also: [getKeptReport] },
})

/** For whoever asked for a sheet and went on working: is it ready, where is it, and which come by themselves. */
export default partsPage({
  screen,
  words,
  parts: [
    { key: 'files', access: listReportRequests.access, page: Files },
    { key: 'kept', access: listKeptReports.access, page: Kept },
  ],
})
