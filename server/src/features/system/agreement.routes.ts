import {
  acceptAgreement,
  createAgreement,
  discardAgreement,
  editAgreement,
  getAgreement,
  getPendingAgreement,
  listAgreements,
  publishAgreement,
} from '@aisle/contract/system/agreement'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { platformOnly, platformRow } from '../../kernel/scope'
import { accept, create, discard, edit, publish } from './agreement.commands'
import { findAgreement, pageOf, pendingFor } from './agreement.reads'

export const routes: Route[] = [
  ...listOf(listAgreements, (ctx, input) => {
    platformOnly(ctx)
    return pageOf(ctx.language, input)
  }),
  query(getAgreement, async (ctx, { id }) => {
    platformRow(ctx)
    return existing(await findAgreement(ctx.db, ctx.language, id))
  }),
  command(createAgreement, create),
  command(editAgreement, edit),
  command(publishAgreement, publish),
  command(discardAgreement, discard),
  query(getPendingAgreement, async (ctx) => ({
    agreement: await pendingFor(ctx.db, ctx.actor.userId, ctx.language),
  })),
  command(acceptAgreement, accept),
]
