import * as contract from '@aisle/contract/report/kept'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as kept from './kept.commands'
import { findKept, listKept, shareRoles } from './kept.store'

export const routes: Route[] = [
  ...listOf(contract.listKeptReports, listKept),
  query(contract.getKeptReport, findKept),
  command(contract.keepReport, kept.keep),
  command(contract.editKeptReport, kept.edit),
  command(contract.runKeptReport, kept.run),
  command(contract.takeOverKeptReport, kept.takeOver),
  command(contract.stopKeptReport, kept.stop),
  command(contract.resumeKeptReport, kept.resume),
  command(contract.removeKeptReport, kept.remove),
  ...listOf(contract.listShareRoles, ({ actor }, { q }) => shareRoles(actor.merchantId, q)),
]
