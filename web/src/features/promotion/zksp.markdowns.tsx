import { listProducts } from '@aisle/contract/catalog/product'
import { addMarkdown, getMarkdown, listMarkdowns, markdownFields } from '@aisle/contract/promotion/markdown'
import { CommandButton } from '../../admin/commandButton'
import { refInput } from '../../admin/form/refInput'
import { listPage } from '../../admin/listPage'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { MarkdownDrawer } from './markdownDrawer'

const ProductInput = refInput({
  list: listProducts,
  query: { state: 'online' },
  optionOf: ({ id, name, code, specification }) => ({ value: id, word: name, note: `${code} ${specification}` }),
})

/** For pharmacists and merchandisers, weekly: what is sold cheaper, until when, and whether it goes. */
export default listPage({
  screen: 'ypgl/zksp',
  list: listMarkdowns,
  fields: markdownFields,
  words: 'promotion',
  columns: [
    'productName',
    'batch',
    'paidPercent',
    'state',
    'startsAt',
    'endsAt',
    'slotCount',
    'pieces',
    'expiresOn',
    'reason',
    'createdBy',
    'machineCount',
    'productCode',
    'merchantName',
    'createdAt',
    'endedAt',
  ],
  hidden: ['machineCount', 'productCode', 'merchantName', 'createdAt', 'endedAt'],
  sortable: { createdAt: 'newest', endsAt: 'ends' },
  filters: ['q', 'state'],
  moreFilters: ['merchantId'],
  presets: [
    { name: 'now', query: () => ({ state: 'active' }) },
    { name: 'ending', query: () => ({ lasting: 'yes', sort: 'ends' }) },
  ],
  actions: AddMarkdown,
  drawer: MarkdownDrawer,
  live: { kinds: ['markdown'], also: [getMarkdown] as const },
})

const inputs = { productId: ProductInput }
const fields = {
  ...markdownFields,
  productId: { kind: 'text' },
  startsOn: { kind: 'day' },
  endsOn: { kind: 'day' },
} as const

function AddMarkdown() {
  const t = useText('promotion')
  if (!can(listProducts.access)) return null
  return (
    <CommandButton
      endpoint={addMarkdown}
      verb="addMarkdown"
      t={t}
      tone="main"
      fields={fields}
      inputs={inputs}
      names={['productId', 'batch', 'paidPercent', 'startsOn', 'endsOn', 'reason']}
      initial={{ paidPercent: 80 }}
      changes={[listMarkdowns, getMarkdown]}
    />
  )
}
