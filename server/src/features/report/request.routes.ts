import { exportableOf } from '@aisle/contract/exports'
import type { Language } from '@aisle/contract/kernel/text'
import {
  cancelReport,
  getReport,
  getReportLink,
  listReportRequests,
  type ReportRequest,
  requestReport,
} from '@aisle/contract/report/request'
import {
  editKeptReport,
  getKeptReport,
  keepReport,
  listKeptReports,
  listShareRoles,
  removeKeptReport,
  resumeKeptReport,
  runKeptReport,
  stopKeptReport,
  takeOverKeptReport,
} from '@aisle/contract/report/kept'
import { mapRows } from '../../kernel/list'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { word } from '../../kernel/words'
import * as kept from './kept/kept.commands'
import { findKept, listKept, shareRoles } from './kept/kept.store'
import { cancel, giveLink, request } from './request.commands'
import { findListed, type Listed, listRequestsOf } from './request.store'

export const routes: Route[] = [
  ...listOf(listReportRequests, ({ actor, language }, input) =>
    mapRows(listRequestsOf(actor.userId, input), (rows) => rows.map((row) => titled(row, language))),
  ),
  query(getReport, async ({ db, actor, language }, { id }) => {
    const row = await findListed(db, actor.userId, id)
    return row ? titled(row, language) : refuse('request.notFound')
  }),
  command(requestReport, request),
  command(cancelReport, cancel),
  // The address is a secret that is given once.
  command(getReportLink, giveLink, 'nothing'),
  ...listOf(listKeptReports, listKept),
  query(getKeptReport, findKept),
  command(keepReport, kept.keep),
  command(editKeptReport, kept.edit),
  command(runKeptReport, kept.run),
  command(takeOverKeptReport, kept.takeOver),
  command(stopKeptReport, kept.stop),
  command(resumeKeptReport, kept.resume),
  command(removeKeptReport, kept.remove),
  ...listOf(listShareRoles, ({ actor }, { q }) => shareRoles(actor.merchantId, q)),
]

const titled = ({ list, ...rest }: Listed, language: Language): ReportRequest => ({
  ...rest,
  title: word(language, 'screens', exportableOf(list)?.screen ?? list),
})
