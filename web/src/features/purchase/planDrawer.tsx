import * as contract from '@aisle/contract/purchase/plan'
import { countText, permilleText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Day, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { Section } from '../../ui/feedback/drawer'
import { Facts, Figures } from '../../ui/facts'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { type PlanDetail, PlanVerbs } from './planVerbs'

/** What it comes to by supplier, what stands in the way, which orders it became, and how right its forecast was. */
export function PlanDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  const result = useEndpoint(contract.getPurchasePlan, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, warehouseName }) => `${no} · ${warehouseName}`}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={contract.purchasePlanFields.state} t={t} />
        </div>
      )}
      actions={(plan) => <PlanVerbs plan={plan} />}
    >
      {(plan) => (
        <>
          <ByLines plan={plan} />
          {plan.suppliers.length > 0 && <Suppliers plan={plan} />}
          {plan.madeOrders.length > 0 && <Orders plan={plan} />}
          <Accuracy plan={plan} />
          <PlanFacts plan={plan} />
        </>
      )}
    </RowDrawer>
  )
}

/** How many lines there are of each kind; each opens them. */
function ByLines({ plan }: { plan: PlanDetail }) {
  const t = useText('purchase')
  const { no, lineCount, toOrder, hindered, changed, hindrances } = plan
  const link = (count: number, more: Record<string, string>) => (
    <ScreenLink screen="jxcgl/cgjh" search={{ part: 'lines', planNo: no, sort: 'soonest', ...more }}>
      {countText(count)}
    </ScreenLink>
  )
  return (
    <Section title={t('part.lines')}>
      <Figures
        facts={[
          { label: t('planVerdict.order'), value: link(toOrder, { verdict: 'order' }) },
          { label: t('planVerdict.hindered'), value: link(hindered, { verdict: 'hindered' }) },
          { label: t('field.changed'), value: link(changed, { changed: 'yes' }) },
          { label: t('plan.all'), value: link(lineCount, {}) },
        ]}
      />
      {hindrances.length > 0 && (
        <p className="quiet">
          {hindrances
            .map(({ hindrance, lines }) => `${t(`planHindrance.${hindrance}`)} ${countText(lines)}`)
            .join(' · ')}
        </p>
      )}
    </Section>
  )
}

function Suppliers({ plan: { suppliers, amountFen } }: { plan: PlanDetail }) {
  const t = useText('purchase')
  return (
    <Section title={t('plan.suppliers')} note={<Money fen={amountFen} />}>
      <ul className={lined.lines}>
        {suppliers.map(({ supplierId, supplierName, lines, packs, amountFen: fen }) => (
          <li key={supplierId}>
            <span className={lined.what}>
              <ScreenLink screen="jxcgl/wdgys" search={{ open: String(supplierId) }}>
                {supplierName}
              </ScreenLink>
              <small className="quiet">
                {t('plan.ofSupplier', { lines: countText(lines), packs: countText(packs) })}
              </small>
            </span>
            <span className={lined.count}>
              <Money fen={fen} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Orders({ plan: { madeOrders } }: { plan: PlanDetail }) {
  const t = useText('purchase')
  return (
    <Section title={t('field.orders')}>
      <ul className={lined.lines}>
        {madeOrders.map(({ id, no, supplierName }) => (
          <li key={id}>
            <span className={lined.what}>
              <ScreenLink screen="jxcgl/cgd" search={{ open: String(id) }}>
                {no}
              </ScreenLink>
              <small className="quiet">{supplierName}</small>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Accuracy({ plan: { measuredTo, errorPermille, biasPermille, fromOn } }: { plan: PlanDetail }) {
  const t = useText('purchase')
  if (measuredTo === null) {
    return (
      <Section title={t('plan.accuracy')}>
        <p className="quiet">{t('plan.notYet')}</p>
      </Section>
    )
  }
  return (
    <Section
      title={t('plan.accuracy')}
      note={
        <span className="quiet">
          <Day on={fromOn} /> – <Day on={measuredTo} />
        </span>
      }
    >
      {errorPermille === null || biasPermille === null ? (
        <p className="quiet">{t('plan.nothingSold')}</p>
      ) : (
        <>
          <Figures
            facts={[
              { label: t('field.errorPermille'), value: permilleText(errorPermille) },
              { label: t('field.biasPermille'), value: permilleText(biasPermille) },
            ]}
          />
          <p className="quiet">{t('plan.how')}</p>
        </>
      )}
    </Section>
  )
}

function PlanFacts({ plan }: { plan: PlanDetail }) {
  const t = useText('purchase')
  return (
    <Section title={t('order.facts')}>
      <Facts
        facts={[
          { label: t('field.warehouseName'), value: plan.warehouseName },
          { label: t('field.fromOn'), value: <Day on={plan.fromOn} /> },
          { label: t('field.horizonDays'), value: countText(plan.horizonDays) },
          { label: t('field.coverDays'), value: countText(plan.coverDays) },
          { label: t('field.machines'), value: countText(plan.machines) },
          { label: t('field.slots'), value: countText(plan.slots) },
          { label: t('field.hasMedicine'), value: !plan.hasMedicine && t('plan.withoutMedicine') },
          { label: t('field.maker'), value: plan.maker },
          { label: t('field.madeAt'), value: <When at={plan.madeAt} /> },
          { label: t('field.ender'), value: plan.ender },
          { label: t('field.endedAt'), value: plan.endedAt && <When at={plan.endedAt} /> },
          { label: t('order.endReason'), value: plan.endReason },
          { label: t('field.note'), value: plan.note },
          { label: t('field.merchantName'), value: plan.merchantName },
        ]}
      />
    </Section>
  )
}
