import type { SharedField } from '@aisle/contract/catalog/library'
import { sharedFields } from '@aisle/contract/catalog/library'

export type Value = string | string[] | null
export type Shared = Record<SharedField, Value>
export type Offered = { field: SharedField; mine: Value; library: Value }

const same = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What the library says otherwise than it did, and the product otherwise than the library: worth a question. */
export const offeredFields = (seen: Partial<Shared>, library: Shared, mine: Shared): Offered[] =>
  sharedFields.flatMap((field) =>
    same(seen[field] ?? null, library[field]) || same(mine[field], library[field])
      ? []
      : [{ field, mine: mine[field], library: library[field] }],
  )

export type Facts = Omit<Shared, 'name'> & { category: string; pictures: string[]; picture: string | null }

const MOST_PICTURES = 5
const lacking = ['brand', 'specification', 'unit', 'manufacturer', 'category', 'remark'] as const

/** Two that are one: the item keeps what it says, and takes from the addition what it lacks. */
export function merged<F extends Facts>(item: F, addition: F): F {
  const filled = Object.fromEntries(lacking.map((field) => [field, item[field] === '' ? addition[field] : item[field]]))
  const picture = item.picture ?? addition.picture
  const others = addition.picture ? [addition.picture] : []
  const pictures = [...new Set([...item.pictures, ...addition.pictures, ...others])]
    .filter((each) => each !== picture)
    .slice(0, MOST_PICTURES)
  return { ...item, ...filled, picture, pictures }
}

/** Nobody judges what their own merchant offers, unless they are the platform's. */
export const mayJudge = (actor: { kind: string; merchantId: number }, ofMerchantId: number | null): boolean =>
  actor.kind === 'platform_admin' || actor.merchantId !== ofMerchantId
