import * as contract from '@aisle/contract/purchase/plan'
import { countText, permilleText } from '../../admin/fields/number'
import { MachineLink, ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { ProductLink } from '../../shelf/productLink'
import { Section } from '../../ui/feedback/drawer'
import { Facts, Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { ChangeLine, type PlanLineDetail } from './planVerbs'
import styles from './purchase.module.css'

/** Why so much: one sentence with its numbers, the machines behind it, and what came of the forecast. */
export function PlanLineDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  const result = useEndpoint(contract.getPurchasePlanLine, { id }, { errors: 'throw' })
  const fields = contract.purchasePlanLineFields
  return (
    <RowDrawer
      result={result}
      title={({ productName, specification }) => `${productName} ${specification}`.trim()}
      head={({ verdict }) => (
        <div className="tags">
          <StateCell value={verdict} field={fields.verdict} t={t} />
        </div>
      )}
      actions={(line) => <ChangeLine line={line} />}
    >
      {(line) => (
        <>
          {line.hindrance && <p className={styles.warning}>{t(`planHindrance.${line.hindrance}.help`)}</p>}
          <Why line={line} />
          <Behind line={line} />
          {line.sold !== null && <Then line={line} />}
          <LineFacts line={line} />
        </>
      )}
    </RowDrawer>
  )
}

function Why({ line }: { line: PlanLineDetail }) {
  const t = useText('purchase')
  const { forecast, safety, slotTarget, inSlots, inStore, inBags, coming, unusable, packUnits, packs } = line
  const needs = Math.ceil(forecast + safety + slotTarget)
  const has = inSlots + inStore + inBags + coming - unusable
  return (
    <Section title={t('plan.why')}>
      <p>
        {t('plan.needs', {
          days: countText(line.needDays),
          forecast: countText(forecast),
          safety: countText(safety),
          target: countText(slotTarget),
          needs: countText(needs),
        })}{' '}
        {t('plan.has', {
          has: countText(has),
          slots: countText(inSlots),
          store: countText(inStore),
          bags: countText(inBags),
          coming: countText(coming),
        })}{' '}
        {unusable > 0 && `${t('plan.unusable', { count: countText(unusable) })} `}
        {has >= needs && t('plan.enough')}
        {has < needs && line.proposedPacks === 0 && t('plan.missing', { count: countText(needs - has) })}
        {has < needs &&
          line.proposedPacks > 0 &&
          t('plan.short', { count: countText(needs - has), packs: countText(line.proposedPacks) })}
      </p>
      <Figures
        facts={[
          { label: t('field.packs'), value: countText(packs) },
          { label: t('field.pieces'), value: countText(packs * (packUnits ?? 0)) },
          { label: t('field.amountFen'), value: <Money fen={line.amountFen} /> },
          { label: t('field.lastsDays'), value: line.lastsDays === null ? '–' : countText(line.lastsDays) },
        ]}
      />
      {line.changer !== null && line.changedAt !== null && (
        <p className="quiet">
          {t('plan.changedBy', { who: line.changer, packs: countText(line.proposedPacks) })} ·{' '}
          <Ago at={line.changedAt} />
        </p>
      )}
    </Section>
  )
}

function Behind({ line: { behind, machines } }: { line: PlanLineDetail }) {
  const t = useText('purchase')
  return (
    <Section
      title={t('plan.behind')}
      note={
        <span className="quiet">
          {t('plan.behindOf', { shown: countText(behind.length), all: countText(machines) })}
        </span>
      }
    >
      <ul className={lined.lines}>
        {behind.map((one) => (
          <li key={one.machineId}>
            <span className={lined.what}>
              <span>
                <MachineLink code={one.machineCode} /> {one.machineName}
              </span>
              <small className="quiet">
                {t('plan.machine', {
                  perDay: countText(one.perDay),
                  there: countText(one.there),
                  target: countText(one.slotTarget),
                  slots: countText(one.slots),
                })}
              </small>
            </span>
            <span className={lined.count}>{t('plan.sells', { forecast: countText(one.forecast) })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Then({ line: { sold, forecastThen, stockedPermille } }: { line: PlanLineDetail }) {
  const t = useText('purchase')
  return (
    <Section title={t('plan.accuracy')}>
      <Figures
        facts={[
          { label: t('field.forecastThen'), value: countText(forecastThen ?? 0) },
          { label: t('field.sold'), value: countText(sold ?? 0) },
          { label: t('field.stockedPermille'), value: permilleText(stockedPermille ?? 0) },
        ]}
      />
    </Section>
  )
}

function LineFacts({ line }: { line: PlanLineDetail }) {
  const t = useText('purchase')
  const { planId, planNo, supplierId, supplierName, packUnits, minimumPacks, orderId, orderNo, weekday } = line
  return (
    <Section title={t('order.facts')}>
      <Facts
        facts={[
          {
            label: t('field.planNo'),
            value: (
              <ScreenLink screen="jxcgl/cgjh" search={{ open: String(planId) }}>
                {planNo}
              </ScreenLink>
            ),
          },
          { label: t('field.productCode'), value: <ProductLink id={line.productId}>{line.productCode}</ProductLink> },
          {
            label: t('field.supplierName'),
            value: supplierId !== null && (
              <ScreenLink screen="jxcgl/wdgys" search={{ open: String(supplierId) }}>
                {supplierName ?? ''}
              </ScreenLink>
            ),
          },
          { label: t('field.packUnits'), value: packUnits !== null && countText(packUnits) },
          { label: t('field.minimumPacks'), value: minimumPacks !== null && countText(minimumPacks) },
          { label: t('field.priceFen'), value: line.priceFen !== null && <Money fen={line.priceFen} /> },
          { label: t('plan.week'), value: weekday.map((pieces) => countText(pieces)).join(' · ') },
          {
            label: t('field.orderNo'),
            value: orderId !== null && (
              <ScreenLink screen="jxcgl/cgd" search={{ open: String(orderId) }}>
                {orderNo ?? ''}
              </ScreenLink>
            ),
          },
          { label: t('field.merchantName'), value: line.merchantName },
        ]}
      />
    </Section>
  )
}
