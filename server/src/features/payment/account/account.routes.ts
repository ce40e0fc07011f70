import {
  addPaymentAccount,
  copyPaymentAccount,
  editPaymentAccount,
  getPaymentAccount,
  listPaymentAccounts,
  listProviderChoices,
  publishPaymentAccount,
  removePaymentAccount,
  stopPaymentAccount,
  unpublishPaymentAccount,
} from '@aisle/contract/payment/account'
import { getCollection, listCollections } from '@aisle/contract/payment/collection'
import { existing, refuse } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { add, copy, edit, remove } from './account.commands'
import { findChoices, findPaymentAccountDetail, listPaymentAccountsIn } from './account.reads'
import * as collection from '../collection.reads'
import { publish, stop, unpublish } from './publish.commands'

export const routes: Route[] = [
  ...listOf(listPaymentAccounts, (ctx, input) => listPaymentAccountsIn(sightOf(ctx.actor), input, ctx.now())),
  query(getPaymentAccount, async (ctx, { id }) => {
    const found = await findPaymentAccountDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return existing(found)
  }),
  query(listProviderChoices, async (ctx, { merchantId }) => {
    const items = await findChoices(ctx.db, sightOf(ctx.actor), merchantId)
    return items ? { items } : refuse('request.notFound')
  }),
  ...listOf(listCollections, (ctx, input) => collection.listCollectionsIn(sightOf(ctx.actor), input)),
  query(getCollection, async (ctx, { id }) => {
    const found = await collection.findCollectionDetail(ctx.db, sightOf(ctx.actor), id)
    return existing(found)
  }),
  command(addPaymentAccount, add),
  command(editPaymentAccount, edit),
  command(copyPaymentAccount, copy),
  command(removePaymentAccount, remove),
  command(publishPaymentAccount, publish),
  command(unpublishPaymentAccount, unpublish),
  command(stopPaymentAccount, stop),
]
