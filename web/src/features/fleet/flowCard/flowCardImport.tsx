import {
  getFlowCardTemplate,
  importFlowCards,
  listFlowCards,
  previewFlowCards,
  summariseFlowCards,
} from '@aisle/contract/fleet/flowCard'
import { MOST_SHEET_ROWS } from '@aisle/contract/kernel/sheet'
import { useState } from 'react'
import { countText } from '../../../admin/fields/number'
import { SheetImport } from '../../../shelf/sheetImport'
import { SheetOwner } from '../../../shelf/sheetOwner'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'

/** A sheet of cards is imported whole or not at all. */
export function FlowCardImport({ onClose }: { onClose: () => void }) {
  const t = useText('fleet')
  const [merchantId, setMerchant] = useState<number | null>(null)
  return (
    <SheetImport
      title={t('flowCard.import')}
      intro={t('flowCard.intro', { most: countText(MOST_SHEET_ROWS) })}
      template={getFlowCardTemplate}
      preview={previewFlowCards}
      write={importFlowCards}
      beside={merchantId === null ? null : { merchantId }}
      take={({ good }) => t('flowCard.take', { count: good })}
      changes={[listFlowCards, summariseFlowCards]}
      onDone={({ added }) => {
        toast('good', t('flowCard.imported', { count: added }))
        onClose()
      }}
      onClose={onClose}
    >
      <SheetOwner value={merchantId} onPick={setMerchant} />
    </SheetImport>
  )
}
