import * as contract from '@aisle/contract/purchase/supplierReturn'
import { listPayables, listSupplierBalances } from '@aisle/contract/purchase/payable'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { ProductLink } from '../../shelf/productLink'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

type Detail = OutputOf<typeof contract.getSupplierReturn>
export const shownReturns = [
  contract.listSupplierReturns,
  contract.getSupplierReturn,
  listPayables,
  listSupplierBalances,
] as const

/** What goes back of which receipt, who let it go, and what was credited. */
export function ReturnDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  const result = useEndpoint(contract.getSupplierReturn, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, supplierName }) => `${no} · ${supplierName}`}
      head={({ state }) => <StateCell value={state} field={contract.supplierReturnFields.state} t={t} />}
      actions={(row) => <ReturnVerbs row={row} />}
    >
      {(row) => (
        <>
          <Lines row={row} />
          <ReturnFacts row={row} />
        </>
      )}
    </RowDrawer>
  )
}

function Lines({ row: { lines, totalFen } }: { row: Detail }) {
  const t = useText('purchase')
  return (
    <Section title={t('return.lines')} note={<Money fen={totalFen} />}>
      <ul className={lined.lines}>
        {lines.map((line) => (
          <li key={line.line}>
            <span className={lined.what}>
              <ProductLink id={line.productId}>{`${line.productName} ${line.specification}`.trim()}</ProductLink>
              <small className="quiet">
                {line.batch && `${line.batch} · `}
                {line.expiresOn && (
                  <>
                    <Day on={line.expiresOn} /> ·{' '}
                  </>
                )}
                <ScreenLink screen="jxcgl/rkdj" search={{ open: String(line.receiptId) }}>
                  {line.receiptNo}
                </ScreenLink>
              </small>
            </span>
            <span className={lined.count}>{countText(line.quantity)}</span>
            <Money fen={line.costFen} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function ReturnFacts({ row }: { row: Detail }) {
  const t = useText('purchase')
  const { approvedAt, sentAt, endedAt, creditedFen } = row
  return (
    <Section title={t('order.facts')}>
      <Facts
        facts={[
          { label: t('field.why'), value: t(`returnWhy.${row.why}`) },
          { label: t('field.fromName'), value: row.fromName },
          { label: t('field.creditedFen'), value: creditedFen !== null && <Money fen={creditedFen} /> },
          { label: t('field.creditNote'), value: row.creditNote },
          { label: t('field.maker'), value: row.maker },
          { label: t('field.madeAt'), value: <When at={row.madeAt} /> },
          { label: t('field.approver'), value: row.approver },
          { label: t('field.approvedAt'), value: approvedAt && <When at={approvedAt} /> },
          { label: t('field.sender'), value: row.sender },
          { label: t('field.sentAt'), value: sentAt && <When at={sentAt} /> },
          { label: t('field.endedAt'), value: endedAt && <When at={endedAt} /> },
          { label: t('field.endReason'), value: row.endReason },
          { label: t('field.note'), value: row.note },
          { label: t('field.merchantName'), value: row.merchantName },
        ]}
      />
    </Section>
  )
}

function ReturnVerbs({ row: { id, no, supplierName, state, totalFen, mayApprove } }: { row: Detail }) {
  const t = useText('purchase')
  const common = { t, target: { id }, vars: { no, name: supplierName }, changes: shownReturns }
  const can = (verb: keyof typeof contract.supplierReturnState.moves) => contract.supplierReturnState.can(state, verb)
  return (
    <>
      {can('approve') && (
        <CommandButton
          {...common}
          endpoint={contract.approveSupplierReturn}
          verb="approveSupplierReturn"
          tone="main"
          isEnabled={mayApprove}
        />
      )}
      {can('send') && (
        <CommandButton {...common} endpoint={contract.sendSupplierReturn} verb="sendSupplierReturn" tone="main" />
      )}
      {can('credit') && (
        <CommandButton
          {...common}
          endpoint={contract.creditSupplierReturn}
          verb="creditSupplierReturn"
          tone="main"
          fields={{ creditedFen: contract.supplierReturnFields.creditedFen }}
          initial={{ creditedFen: totalFen }}
        />
      )}
      {can('cancel') && (
        <CommandButton {...common} endpoint={contract.cancelSupplierReturn} verb="cancelSupplierReturn" tone="danger" />
      )}
    </>
  )
}
