import {
  createDictionaryItem,
  deleteDictionaryItem,
  editDictionaryItem,
  getDictionaryItem,
  listDictionaryItems,
  listDictionaryOptions,
  listMerchantItems,
  switchDictionaryItem,
} from '@aisle/contract/system/dictionary'
import { existing } from '../../kernel/refuse'
import { command, listOf, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { createItem, deleteItem, editItem, switchItem } from './dictionary.commands'
import { findDictionaryDetail, optionsFor, pageOf } from './dictionary.reads'
import { routes as typeRoutes } from './dictionaryType'
import { chooserInSight } from './setting.reads'

export const routes: Route[] = [
  ...typeRoutes,
  ...listOf(listDictionaryItems, (ctx, input) =>
    pageOf(sightOf(ctx.actor), { ...input, scope: 'platform', language: ctx.language }),
  ),
  ...listOf(listMerchantItems, (ctx, input) =>
    pageOf(sightOf(ctx.actor), { ...input, scope: 'own', language: ctx.language }),
  ),
  query(getDictionaryItem, async (ctx, { id }) => {
    return existing(await findDictionaryDetail(ctx.db, sightOf(ctx.actor), id, ctx.language))
  }),
  command(createDictionaryItem, createItem),
  command(editDictionaryItem, editItem),
  command(switchDictionaryItem, switchItem),
  command(deleteDictionaryItem, deleteItem),
  query(listDictionaryOptions, async (ctx, input) => {
    const askedId = input.merchantId ?? ctx.actor.merchantId
    const merchant = existing(await chooserInSight(ctx.db, sightOf(ctx.actor), askedId))
    return { items: await optionsFor(ctx.db, input.type, { merchantId: merchant.id, language: ctx.language }) }
  }),
]
