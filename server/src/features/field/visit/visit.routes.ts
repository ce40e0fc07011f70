import { decideStep, getFieldDay, listVisits, sendVisit } from '@aisle/contract/field/visit'
import { command, query, type Route } from '../../../kernel/route'
import { fieldDay } from './day.reads'
import * as visits from './visit.commands'
import { visitsOfOrder } from './visit.reads'

export const routes: Route[] = [
  query(getFieldDay, fieldDay),
  query(listVisits, visitsOfOrder),
  command(sendVisit, visits.send),
  command(decideStep, visits.decide),
]
