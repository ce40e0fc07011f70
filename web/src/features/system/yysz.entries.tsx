import { getLanguageEntry, languageEntryFields, listLanguageEntries } from '@aisle/contract/system/languageEntry'
import { listPage } from '../../admin/listPage'
import { EntryDrawer } from './entryDrawer'
import { EntryFiles } from './entryFiles'

/**
 * For the platform's administrator when a word is wrong or a translation missing, and for translators with a file:
 * find the text by what it says, change it, and everybody reads it at once.
 */
export default listPage({
  screen: 'xtgl/yysz',
  list: listLanguageEntries,
  fields: languageEntryFields,
  words: 'system',
  columns: ['key', 'namespace', 'zh', 'en', 'fr', 'ko', 'changedAt', 'changedBy'],
  hidden: ['changedBy'],
  sortable: { key: 'key', changedAt: 'changed' },
  filters: ['q', 'namespace', 'entryState'],
  presets: [
    { name: 'overridden', query: () => ({ entryState: 'overridden', sort: 'changed' }) },
    { name: 'untranslated', query: () => ({ entryState: 'untranslated' }) },
  ],
  actions: EntryFiles,
  drawer: EntryDrawer,
  live: { kinds: ['languageEntry'], also: [getLanguageEntry] },
})
