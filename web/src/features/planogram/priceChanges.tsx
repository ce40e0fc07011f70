import {
  getPriceChange,
  getPricedSlots,
  listPriceChanges,
  listPricedMachines,
  MOST_PRODUCTS,
  priceChangeFields,
} from '@aisle/contract/planogram/priceChange'
import { codesIn } from '@aisle/contract/kernel/codes'
import { useRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { FormDialog } from '../../admin/form/formDialog'
import { listPage } from '../../admin/listPage'
import type { ListAddress } from '../../admin/useAddress'
import { refetch } from '../../live/query'
import { can } from '../../live/session'
import { useUnderstood } from '../../ui/feedback/asked'
import { toast } from '../../ui/feedback/notice'
import { type Text, useText } from '../../ui/text'
import { PriceChangeDrawer } from './priceChange.drawer'
import { priceChangeForm } from './priceChange.inputs'

/** For merchandisers, weekly and before a season: many prices at once, seen before they are set, and the way back. */
export const PriceChanges = listPage({
  screen: 'shj/hdgl',
  part: 'prices',
  list: listPriceChanges,
  fields: priceChangeFields,
  words: 'planogram',
  columns: [
    'products',
    'state',
    'rule',
    'amountFen',
    'percent',
    'scope',
    'scopeName',
    'machineCount',
    'reason',
    'createdBy',
    'createdAt',
    'appliedAt',
    'undoneAt',
    'productCount',
    'roundTo',
    'changesProducts',
    'merchantName',
  ],
  hidden: ['appliedAt', 'undoneAt', 'productCount', 'roundTo', 'changesProducts', 'merchantName'],
  filters: ['product', 'state'],
  actions: AddPriceChange,
  summary: OfChosen,
  drawer: PriceChangeDrawer,
  live: { kinds: ['priceChange'], also: [getPriceChange, listPricedMachines, getPricedSlots] },
})

function AddPriceChange({ address }: { address: ListAddress }) {
  const t = useText('planogram')
  return (
    <CommandButton {...priceChangeForm} t={t} tone="main" changes={[listPriceChanges]} onDone={shownIn(address, t)} />
  )
}

const shownIn =
  (address: ListAddress, t: Text<'planogram'>) =>
  ({ id }: { id: number }) => {
    toast('good', t('verb.addPriceChange.done'))
    address.openRow(String(id), false)
  }

/** Products or machines that were ticked in their lists come in the address, and the form asks for the rest at once. */
function OfChosen({ address }: { address: ListAddress }) {
  const t = useText('planogram')
  const { history } = useRouter()
  const search = useSyncExternalStore(
    (listener) => history.subscribe(listener),
    () => history.location.search,
  )
  const productIds = chosenIn(search)
  const machines = new URLSearchParams(search).get('machines') ?? ''
  const isOfProducts = productIds.length > 0
  useUnderstood([...(isOfProducts ? ['products'] : []), ...(machines ? ['machines'] : [])])
  const { endpoint, groups, initial, ...form } = priceChangeForm
  if ((!isOfProducts && !machines) || !can(endpoint.access)) return null
  const spec = {
    ...form,
    t,
    endpoint,
    target: isOfProducts ? { productIds } : {},
    initial: machines ? { ...initial, scope: 'machines', machineCodes: machines } : initial,
    groups: groups.filter(({ key }) => !isOfProducts || key !== 'priceProducts'),
  }
  return (
    <FormDialog
      title={t('verb.addPriceChange')}
      sentence={
        isOfProducts
          ? t('price.chosen', { count: productIds.length })
          : t('price.chosenMachines', { count: codesIn(machines).length })
      }
      spec={spec}
      onSaved={async (made) => {
        shownIn(address, t)(made)
        await refetch(listPriceChanges)
      }}
      onClose={address.close}
    />
  )
}

const chosenIn = (search: string): number[] =>
  (new URLSearchParams(search).get('products') ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .slice(0, MOST_PRODUCTS)
