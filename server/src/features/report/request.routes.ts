import type { Language } from '@aisle/contract/kernel/text'
import {
  cancelReport,
  getReport,
  getReportLink,
  listReportRequests,
  type ReportRequest,
  requestReport,
} from '@aisle/contract/report/request'
import { mapRows } from '../../kernel/list'
import { refuse } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { titleOf } from './exported'
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
]

const titled = ({ list, ...rest }: Listed, language: Language): ReportRequest => ({
  ...rest,
  title: titleOf(list, language),
})
