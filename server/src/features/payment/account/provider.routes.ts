import {
  addProviderAccount,
  editProviderAccount,
  getProviderAccount,
  listProviderAccounts,
  setProviderKey,
  testProviderKeys,
} from '@aisle/contract/payment/provider'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { sightOf } from '../../../kernel/scope'
import { add, edit, setKey, test } from './provider.commands'
import { findProviderAccountDetail, listProviderAccountsIn } from './provider.reads'

export const routes: Route[] = [
  ...listOf(listProviderAccounts, (ctx, input) => listProviderAccountsIn(sightOf(ctx.actor), input, ctx.now())),
  query(getProviderAccount, async (ctx, { id }) => {
    const found = await findProviderAccountDetail(ctx.db, sightOf(ctx.actor), id, ctx.now())
    return existing(found)
  }),
  command(addProviderAccount, add),
  command(editProviderAccount, edit),
  command(setProviderKey, setKey),
  command(testProviderKeys, test),
]
