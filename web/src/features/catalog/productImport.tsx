import { listProducts } from '@aisle/contract/catalog/product'
import { getProductTemplate, importProducts, previewProducts } from '@aisle/contract/catalog/productImport'
import { MOST_SHEET_ROWS } from '@aisle/contract/kernel/sheet'
import { useState } from 'react'
import { countText } from '../../admin/fields/number'
import { currentSession } from '../../live/session'
import { SheetImport } from '../../shelf/sheetImport'
import { SheetOwner } from '../../shelf/sheetOwner'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'

/** Of a range that comes as a sheet: the good rows are taken, the others are named and stay in the file. */
export function ProductImport({ onClose }: { onClose: () => void }) {
  const t = useText('catalog')
  const [merchantId, setMerchant] = useState<number | null>(currentSession()?.info?.merchant.id ?? null)
  return (
    <SheetImport
      title={t('import')}
      intro={t('import.intro', { most: countText(MOST_SHEET_ROWS) })}
      template={getProductTemplate}
      preview={previewProducts}
      write={importProducts}
      beside={merchantId === null ? null : { merchantId }}
      isPartial
      take={({ good }) => t('import.take', { count: good })}
      more={({ bare, good, faultCount }) => (
        <>
          {bare > 0 && <p className="quiet">{t('import.bare', { count: bare })}</p>}
          {good > 0 && faultCount > 0 && <p className="quiet">{t('import.left')}</p>}
        </>
      )}
      changes={[listProducts]}
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
