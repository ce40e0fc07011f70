import {
  addLicence,
  editLicence,
  getLicence,
  listLicences,
  renewLicence,
  revokeLicence,
  summariseLicences,
} from '@aisle/contract/merchant/licence'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { add, edit, renew, revoke } from './licence.commands'
import { findDetail, listLicencesIn, summary } from './licence.reads'

export const routes: Route[] = [
  ...listOf(listLicences, (ctx, input) => listLicencesIn(sightOf(ctx.actor), input, ctx.now())),
  query(summariseLicences, (ctx) => summary(ctx.db, sightOf(ctx.actor), ctx.now())),
  query(getLicence, async (ctx, { id }) => {
    const found = await findDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return existing(found)
  }),
  command(addLicence, add),
  command(editLicence, edit),
  command(renewLicence, renew),
  command(revokeLicence, revoke),
]
