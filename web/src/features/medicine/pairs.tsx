import * as contract from '@aisle/contract/medicine/ingredientPair'
import { listPage } from '../../admin/listPage'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'
import { useSession } from '../../live/session'

const pairs = record({
  of: contract.ingredientPair,
  list: contract.listIngredientPairs,
  get: contract.getIngredientPair,
  add: contract.addIngredientPair,
  edit: contract.editIngredientPair,
  remove: contract.removeIngredientPair,
})

const shown = { columns: ['first', 'second', 'medicineCount', 'remark'], filters: ['q'] } as const
const Kept = listPage({ screen: 'ypgl/yplb', part: 'pairs', ...pairs.page({ ...shown, drawer: PairDrawer }) })
const Read = listPage({
  screen: 'ypgl/yplb',
  part: 'pairs',
  list: contract.listIngredientPairs,
  fields: contract.ingredientPair.fields,
  words: 'medicine',
  ...shown,
  live: { kinds: ['ingredientPair'], also: [] },
})

/** For the platform's pharmacist, seldom: what prescriptions and combinations are warned of. Others read it. */
export function PairList() {
  return useSession()?.info?.merchant.isPlatform === true ? <Kept /> : <Read />
}

function PairDrawer({ id }: DrawerRow) {
  return (
    <pairs.Drawer id={id} title={({ first, second }) => `${first} + ${second}`}>
      {(pair) => <pairs.Known row={pair} />}
    </pairs.Drawer>
  )
}
