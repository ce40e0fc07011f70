import * as contract from '@aisle/contract/medicine/combination'
import { ScreenLink } from '../../admin/fields/ref'
import { listPage } from '../../admin/listPage'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { categoryInput } from './categoryInputs'
import { CombinationItems, Findings } from './combinationItems'
import styles from './combination.module.css'

const combinations = record({
  of: contract.combination,
  list: contract.listCombinations,
  get: contract.getCombination,
  add: contract.addCombination,
  edit: contract.editCombination,
  moves: { stop: contract.stopCombination, resume: contract.resumeCombination },
  remove: contract.removeCombination,
  inputs: { categoryId: categoryInput('combination'), items: CombinationItems },
})

/** For pharmacists, weekly: what is sold together for a condition, at which price, and what speaks against it. */
export default listPage({
  screen: 'ypgl/ypzhlb',
  ...combinations.page({
    columns: ['name', 'categoryName', 'itemNames', 'priceFen', 'listFen', 'medicineClass', 'state', 'merchantName'],
    sortable: { priceFen: 'price' },
    filters: ['q', 'state'],
    moreFilters: ['merchantId'],
    drawer: CombinationDrawer,
  }),
})

function CombinationDrawer({ id }: DrawerRow) {
  const t = useText('medicine')
  return (
    <combinations.Drawer id={id} tags={['state', 'medicineClass']}>
      {(set) => (
        <>
          <Section title={t('field.items')}>
            <ul className={styles.findings}>
              {set.pieces.map(({ productId, code, name, quantity, priceFen }) => (
                <li key={productId}>
                  <ScreenLink screen="ypgl/yplb" search={{ code }}>
                    {name}
                  </ScreenLink>{' '}
                  <small className="quiet">
                    {quantity} × <Money fen={priceFen} />
                  </small>
                </li>
              ))}
            </ul>
          </Section>
          <Section title={t('combination.findings')}>
            <Findings findings={set.findings} />
          </Section>
          <combinations.Known
            row={set}
            without={['name', 'state', 'medicineClass', 'itemNames', 'items', 'categoryId']}
          />
        </>
      )}
    </combinations.Drawer>
  )
}
