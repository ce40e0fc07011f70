import { createAgreement } from '@aisle/contract/system/agreement'
import { createDictionaryItem } from '@aisle/contract/system/dictionary'
import { HOUR_MS } from './calendar'
import { DEMO_OPERATOR } from './data/merchants'
import { draft, tags } from './data/system'
import type { Past } from './life/within'

const bodyOf = ({ body }: { body: readonly string[] }): string => body.join('\n\n')

/** Words of a merchant's own, and the next agreement, which is still being written. */
export async function addWords({ as, at, idOf, latestMs }: Past): Promise<void> {
  const merchantId = idOf('merchant', DEMO_OPERATOR)
  for (const tag of tags) await as('admin', createDictionaryItem, { ...tag, merchantId })
  at(latestMs - 26 * HOUR_MS)
  const { zh, en, fr } = draft
  const titles = { titleZh: zh.title, titleEn: en.title, titleFr: fr.title }
  const bodies = { bodyZh: bodyOf(zh), bodyEn: bodyOf(en), bodyFr: bodyOf(fr) }
  await as('admin', createAgreement, { ...titles, ...bodies })
}
