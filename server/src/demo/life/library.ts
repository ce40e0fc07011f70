import * as contract from '@aisle/contract/catalog/library'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { catalogue } from '../network/catalogue'
import { DEMO_OPERATOR, PLATFORM } from '../data/merchants'
import type { Past } from './within'

const ITEMS = 12

/** What the platform knows, three copies of it with a change to decide on, and what a merchant has added. */
export async function fillLibrary({ tx, as, idOf }: Past): Promise<void> {
  const known = catalogue.filter(({ merchant, medicineClass }) => merchant === PLATFORM && medicineClass === null)
  const items: (CallOf<typeof contract.addLibraryItem> & { id: number })[] = []
  for (const { code, name, brand, category, specification, unit, manufacturer } of known.slice(0, ITEMS)) {
    const item = { name, brand, category, specification, unit, manufacturer, picture: `/pictures/${code}.svg` }
    items.push({ ...item, ...(await as('admin', contract.addLibraryItem, item)) })
  }
  const merchantId = idOf('merchant', DEMO_OPERATOR)
  const products = tx.selectFrom('product').select('id').where('merchantId', '=', merchantId)
  const own = await products.where('kind', '=', 'goods').orderBy('id').limit(4).execute()
  const [copied] = items
  if (!copied) return
  const ids = items.slice(0, 3).map(({ id }) => id)
  await as('merchant', contract.copyLibraryItems, { ids, merchantId, codePrefix: 'PT', costFen: 180, priceFen: 350 })
  await as('admin', contract.editLibraryItem, {
    ...copied,
    version: 1,
    specification: `${copied.specification}（新包装）`,
  })
  await as('merchant', contract.offerProducts, { ids: own.map(({ id }) => id) })
  const added = await as('admin', contract.listLibraryAdditions, {})
  const [good, poor] = added.items
  if (good) await as('admin', contract.checkAddition, { id: good.id })
  if (poor) await as('admin', contract.ignoreAddition, { id: poor.id, reason: '图片不清晰' })
}
