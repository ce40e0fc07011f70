import {
  dictionaryFields,
  getDictionaryItem,
  listDictionaryTypes,
  listMerchantItems,
} from '@aisle/contract/system/dictionary'
import { listPage } from '../../admin/listPage'
import type { ListAddress } from '../../admin/useAddress'
import { AddOwnItem, ItemDrawer } from './dictionaryItem'
import { DictionaryTypes } from './dictionaryTypes'

/**
 * For a merchant's administrator: tags and categories of one's own, offered here and to all merchants below beside
 * those of the platform.
 */
export default listPage({
  screen: 'xtgl/shsjzd',
  list: listMerchantItems,
  fields: dictionaryFields,
  words: 'system',
  columns: ['code', 'zh', 'typeName', 'merchantName', 'en', 'fr', 'ko', 'sort', 'isOn'],
  sortable: { code: 'code', sort: 'order' },
  filters: ['q', 'merchantId', 'isOn'],
  summary: ({ address }: { address: ListAddress }) => <DictionaryTypes address={address} isForMerchants />,
  actions: AddOwnItem,
  drawer: ItemDrawer,
  live: { kinds: ['dictionaryItem', 'dictionaryType'], also: [listDictionaryTypes, getDictionaryItem] },
})
