import * as contract from '@aisle/contract/stock/writeOff'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { CommandButton } from '../../admin/commandButton'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { Scans } from '../../shelf/scansInput'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { ProductLink } from '../../shelf/productLink'
import { Section } from '../../ui/feedback/drawer'
import { Facts } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'

type Detail = OutputOf<typeof contract.getWriteOff>
export const shownWriteOffs = [contract.listWriteOffs, contract.getWriteOff, contract.listLyingGoods] as const

/** What was lost where and why, the pictures of it, and who agreed. */
export function WriteOffDrawer({ id }: DrawerRow) {
  const t = useText('stock')
  const result = useEndpoint(contract.getWriteOff, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ productName, batch }) => [productName, batch].filter(Boolean).join(' · ')}
      head={({ state }) => <StateCell value={state} field={contract.writeOffFields.state} t={t} />}
      actions={(row) => <WriteOffVerbs row={row} />}
    >
      {(row) => (
        <>
          {row.pictures.length > 0 && (
            <Section title={t('field.pictures')}>
              <Scans pictures={row.pictures} label={t('field.pictures')} />
            </Section>
          )}
          <Section title={t('writeOff.facts')}>
            <WriteOffFacts row={row} />
          </Section>
        </>
      )}
    </RowDrawer>
  )
}

function WriteOffFacts({ row }: { row: Detail }) {
  const t = useText('stock')
  const { placeKind, placeName, machineCode, slotCode, expiresOn, decidedAt } = row
  const place = [t(`placeKind.${placeKind}`), placeName, slotCode].filter(Boolean).join(' · ')
  return (
    <Facts
      facts={[
        { label: t('field.productName'), value: <ProductLink id={row.productId}>{row.productName}</ProductLink> },
        { label: t('field.batch'), value: row.batch },
        { label: t('field.expiresOn'), value: expiresOn && <Day on={expiresOn} /> },
        { label: t('field.placeName'), value: place },
        {
          label: t('field.machineCode'),
          value: machineCode && (
            <ScreenLink screen="shj/wdshj" search={{ code: machineCode }}>
              {machineCode}
            </ScreenLink>
          ),
        },
        { label: t('field.quantity'), value: countText(row.quantity) },
        { label: t('field.costFen'), value: <Money fen={row.costFen} /> },
        { label: t('field.why'), value: t(`why.${row.why}`) },
        { label: t('field.note'), value: row.note },
        { label: t('field.askedBy'), value: row.askedBy },
        { label: t('field.askedAt'), value: <When at={row.askedAt} /> },
        { label: t('field.decidedBy'), value: row.decidedBy },
        { label: t('field.decidedAt'), value: decidedAt && <When at={decidedAt} /> },
        { label: t('field.endReason'), value: row.endReason },
        { label: t('field.merchantName'), value: row.merchantName },
      ]}
    />
  )
}

function WriteOffVerbs({ row: { id, state, productName, quantity, mayDecide, mayReverse } }: { row: Detail }) {
  const t = useText('stock')
  const vars = { name: productName, count: countText(quantity) }
  const common = { t, target: { id }, vars, changes: shownWriteOffs }
  const can = (verb: keyof typeof contract.writeOffState.moves) => contract.writeOffState.can(state, verb)
  return (
    <>
      {can('approve') && (
        <CommandButton
          {...common}
          endpoint={contract.approveWriteOff}
          verb="approveWriteOff"
          tone="main"
          isEnabled={mayDecide}
        />
      )}
      {can('refuse') && (
        <CommandButton {...common} endpoint={contract.refuseWriteOff} verb="refuseWriteOff" tone="danger" />
      )}
      {can('reverse') && (
        <CommandButton
          {...common}
          endpoint={contract.reverseWriteOff}
          verb="reverseWriteOff"
          tone="danger"
          isEnabled={mayReverse}
        />
      )}
    </>
  )
}
