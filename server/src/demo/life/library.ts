import {
  addLibraryItem,
  checkAddition,
  copyLibraryItems,
  editLibraryItem,
  ignoreAddition,
  listLibraryAdditions,
  offerProducts,
} from '@aisle/contract/catalog/library'
import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { catalogue } from '../network/catalogue'
import { PLATFORM } from '../data/merchants'
import type { Past } from './within'

const ITEMS = 12

/** What the platform knows, three copies of it with a change to decide on, and what a merchant has added. */
export async function fillLibrary({ tx, as }: Past): Promise<void> {
  const known = catalogue.filter(({ merchant, medicineClass }) => merchant === PLATFORM && medicineClass === null)
  const items: (CallOf<typeof addLibraryItem> & { id: number })[] = []
  for (const { code, name, brand, category, specification, unit, manufacturer } of known.slice(0, ITEMS)) {
    const item = { name, brand, category, specification, unit, manufacturer, picture: `/pictures/${code}.svg` }
    items.push({ ...item, ...(await as('admin', addLibraryItem, item)) })
  }
  const own = await tx
    .selectFrom('product as p')
    .innerJoin('appUser as u', 'u.merchantId', 'p.merchantId')
    .select(['p.id', 'p.merchantId'])
    .where('u.account', '=', 'merchant')
    .where('p.kind', '=', 'goods')
    .orderBy('p.id')
    .limit(4)
    .execute()
  const [first] = own
  const [copied, ...others] = items
  if (!first || !copied) return
  const ids = [copied, ...others.slice(0, 2)].map(({ id }) => id)
  const { merchantId } = first
  await as('merchant', copyLibraryItems, { ids, merchantId, codePrefix: 'PT', costFen: 180, priceFen: 350 })
  await as('admin', editLibraryItem, { ...copied, version: 1, specification: `${copied.specification}（新包装）` })
  await as('merchant', offerProducts, { ids: own.map(({ id }) => id) })
  const added = await as('admin', listLibraryAdditions, {})
  const [good, poor] = added.items
  if (good) await as('admin', checkAddition, { id: good.id })
  if (poor) await as('admin', ignoreAddition, { id: poor.id, reason: '图片不清晰' })
}
