import {
  createDictionaryItem,
  createDictionaryType,
  deleteDictionaryItem,
  deleteDictionaryType,
  editDictionaryItem,
  editDictionaryType,
  getDictionaryItem,
  listDictionaryItems,
  listDictionaryOptions,
  listDictionaryTypes,
  listMerchantItems,
  switchDictionaryItem,
} from '@aisle/contract/system/dictionary'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { createItem, deleteItem, editItem, switchItem } from './dictionary.commands'
import { findDetail, listTypes, optionsFor, pageOf } from './dictionary.reads'
import { createType, deleteType, editType } from './dictionaryType.commands'
import { chooserInSight } from './setting.reads'

export const routes: Route[] = [
  query(listDictionaryTypes, async (ctx, input) => ({ items: await listTypes(ctx.db, sightOf(ctx.actor), input) })),
  command(createDictionaryType, createType),
  command(editDictionaryType, editType),
  command(deleteDictionaryType, deleteType),
  query(listDictionaryItems, (ctx, input) =>
    pageOf(ctx.db, sightOf(ctx.actor), { ...input, scope: 'platform', language: ctx.language }),
  ),
  query(listMerchantItems, (ctx, input) =>
    pageOf(ctx.db, sightOf(ctx.actor), { ...input, scope: 'own', language: ctx.language }),
  ),
  query(getDictionaryItem, async (ctx, { id }) => {
    return (await findDetail(ctx.db, sightOf(ctx.actor), id, ctx.language)) ?? refuse('request.notFound')
  }),
  command(createDictionaryItem, createItem),
  command(editDictionaryItem, editItem),
  command(switchDictionaryItem, switchItem),
  command(deleteDictionaryItem, deleteItem),
  query(listDictionaryOptions, async (ctx, input) => {
    const askedId = input.merchantId ?? ctx.actor.merchantId
    const merchant = (await chooserInSight(ctx.db, sightOf(ctx.actor), askedId)) ?? refuse('request.notFound')
    return { items: await optionsFor(ctx.db, input.type, { merchantId: merchant.id, language: ctx.language }) }
  }),
]
