import { listLibraryAdditions, listLibraryChanges, listLibraryItems } from '@aisle/contract/catalog/library'
import { partsPage } from '../../shelf/partsPage'
import { LibraryAdditions } from './library.additions'
import { LibraryChanges } from './library.changes'
import { LibraryItems } from './library.items'

/** What the platform knows of products: to copy from, to add to, and to keep up with. */
export default partsPage({
  screen: 'spgl/ptspk',
  words: 'catalog',
  parts: [
    { key: 'library', access: listLibraryItems.access, page: LibraryItems },
    { key: 'additions', access: listLibraryAdditions.access, page: LibraryAdditions },
    { key: 'changes', access: listLibraryChanges.access, page: LibraryChanges },
  ],
})
