import {
  dictionaryFields,
  getDictionaryItem,
  listDictionaryItems,
  listDictionaryTypes,
} from '@aisle/contract/system/dictionary'
import { listPage } from '../../admin/listPage'
import type { ListAddress } from '../../admin/useAddress'
import { AddPlatformItem, ItemDrawer } from './dictionaryItem'
import { DictionaryTypes } from './dictionaryTypes'

/**
 * For the platform's administrator, now and then: the words that everybody chooses from. First which list, then its
 * items in the order in which people see them.
 */
export default listPage({
  screen: 'xtgl/sjzd',
  list: listDictionaryItems,
  fields: dictionaryFields,
  words: 'system',
  columns: ['code', 'zh', 'en', 'fr', 'ko', 'typeName', 'sort', 'isOn'],
  sortable: { code: 'code', sort: 'order' },
  filters: ['q', 'isOn'],
  summary: ({ address }: { address: ListAddress }) => <DictionaryTypes address={address} isForMerchants={false} />,
  actions: AddPlatformItem,
  drawer: ItemDrawer,
  live: { kinds: ['dictionaryItem', 'dictionaryType'], also: [listDictionaryTypes, getDictionaryItem] },
})
