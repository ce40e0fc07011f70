import { MOST_SHEET_ROWS } from '@aisle/contract/kernel/sheet'
import { getMemberTemplate, importMembers, previewMembers } from '@aisle/contract/member/memberImport'
import { useState } from 'react'
import { countText } from '../../admin/fields/number'
import { currentSession } from '../../live/session'
import { SheetImport } from '../../shelf/sheetImport'
import { SheetOwner } from '../../shelf/sheetOwner'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { memberChanges } from './memberForm'

/** A school's whole year at once: the good rows are taken, the others are named and stay in the file. */
export function MemberImport({ onClose }: { onClose: () => void }) {
  const t = useText('member')
  const [merchantId, setMerchant] = useState<number | null>(currentSession()?.info?.merchant.id ?? null)
  return (
    <SheetImport
      title={t('import')}
      intro={t('import.intro', { most: countText(MOST_SHEET_ROWS) })}
      template={getMemberTemplate}
      preview={previewMembers}
      write={importMembers}
      beside={merchantId === null ? null : { merchantId }}
      isPartial
      take={({ good }) => t('import.take', { count: good })}
      more={({ consentMissing, good, faultCount }) => (
        <>
          {consentMissing > 0 && <p className="quiet">{t('import.consentMissing', { count: consentMissing })}</p>}
          {good > 0 && faultCount > 0 && <p className="quiet">{t('import.left')}</p>}
        </>
      )}
      changes={memberChanges}
      onDone={({ added, left }) => {
        toast('good', left > 0 ? t('import.doneBut', { count: added, left }) : t('import.done', { count: added }))
        onClose()
      }}
      onClose={onClose}
    >
      <SheetOwner value={merchantId} onPick={setMerchant} />
    </SheetImport>
  )
}
