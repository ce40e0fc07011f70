import type { Language } from '@aisle/contract/kernel/text'
import { getEntranceSettings, getTextOverrides } from 'virtual:sign-in-calls'
import { putBrand } from '../ui/brand/brand'
import { bringOthers, type OtherText } from '../ui/text'
import { call } from './call'

/** Asked of every page, signed in or not: the words that this installation says otherwise. */
const fetchOthers = async (language: Language): Promise<readonly OtherText[]> =>
  (await call(getTextOverrides, { language }, { errors: 'silent' })).items

export const followWords = (): void => bringOthers(fetchOthers)

/** Before anybody is signed in the product is the platform's, or whose the page is. */
export async function showEntranceBrand(path: string): Promise<void> {
  const own = (['loginAme', 'loginFr', 'loginSrx'] as const).find((each) => path === `/${each}`)
  const entrance = await call(getEntranceSettings, own ? { entrance: own } : {}, { errors: 'silent' }).catch(
    () => undefined,
  )
  if (entrance) putBrand(entrance.brand)
}
