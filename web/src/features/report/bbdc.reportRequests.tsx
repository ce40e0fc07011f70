import { getReport, listReportRequests, reportFields } from '@aisle/contract/report/request'
import { listPage } from '../../admin/listPage'
import { ReportDrawer } from './reportDrawer'

/** For whoever asked for a sheet and went on working: is it ready, where is it, what became of yesterday's. */
export default listPage({
  screen: 'tjfx/bbdc',
  list: listReportRequests,
  fields: reportFields,
  words: 'report',
  columns: ['title', 'state', 'rowsDone', 'rowsTotal', 'format', 'requestedAt', 'expiresAt'],
  filters: ['state'],
  drawer: ReportDrawer,
  live: { kinds: ['reportRequest'], also: [getReport] },
})
