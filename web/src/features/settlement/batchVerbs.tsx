import {
  confirmSettlement,
  disputeOrder,
  getSettlement,
  getStatement,
  listDisputes,
} from '@aisle/contract/settlement/batch'
import { listSettlements } from '@aisle/contract/settlement/books'
import { moneyText } from '@aisle/contract/kernel/text'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { call } from '../../live/call'
import { bytesOf, saveFile } from '../../ui/control/files'
import { useLanguage, useText } from '../../ui/text'
import type { BatchDetail } from './batchDrawer'

const shown = [listSettlements, getSettlement, listDisputes] as const

/** Of the merchant's side; who is of the other sees them grey, with why. */
export function BatchVerbs({ batch }: { batch: BatchDetail }) {
  const t = useText('settlement')
  const amount = moneyText(batch.netFen, useLanguage())
  const { id, whyNot, merchantName: merchant } = batch
  const common = { t, target: { id }, changes: shown }
  const why = whyNot === null ? '' : t(`refusal.settlement.${whyNot}`)
  return (
    <>
      <CommandButton
        {...common}
        endpoint={confirmSettlement}
        verb="confirmSettlement"
        tone="main"
        vars={{ amount, merchant, why }}
        isEnabled={whyNot === null}
      />
      <CommandButton
        {...common}
        endpoint={disputeOrder}
        verb="disputeOrder"
        vars={{ why }}
        isEnabled={whyNot === null || whyNot === 'disputed'}
      />
    </>
  )
}

const formats = ['csv', 'xlsx'] as const

/** The same lines in either, under the checksum that stands above. */
export function StatementButtons({ id }: { id: number }) {
  const t = useText('settlement')
  const [isBusy, setBusy] = useState(false)
  const fetch = async (format: (typeof formats)[number]) => {
    setBusy(true)
    try {
      const { name, content } = await call(getStatement, { id, format })
      saveFile(name, new Blob([bytesOf(content)]))
    } catch {
      // The call has said what went wrong.
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {formats.map((format) => (
        <button key={format} type="button" className="btn" disabled={isBusy} onClick={() => void fetch(format)}>
          {t(`batch.statement.${format}`)}
        </button>
      ))}
    </>
  )
}
