import { type FlowCardDetail, flowCardFields, getFlowCard } from '@aisle/contract/fleet/flowCard'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/RowDrawer'
import { useEndpoint } from '../../live/query'
import { Section } from '../../ui/drawer'
import { Facts, Figures } from '../../ui/facts'
import { useText } from '../../ui/text'
import './flow-card.css'
import { FlowCardVerbs } from './flow-card-verbs'
import './hospital.css'

/** Which machine the card is in, and what it used: by day and by month, against what it may. */
export function FlowCardDrawer({ id }: DrawerRow) {
  const t = useText('fleet')
  const result = useEndpoint(getFlowCard, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ iccid }) => iccid}
      head={({ state }) => (
        <div className="tags">
          <StateCell value={state} field={flowCardFields.state} t={t} />
        </div>
      )}
      actions={(card) => <FlowCardVerbs card={card} />}
    >
      {(card) => <Card card={card} />}
    </RowDrawer>
  )
}

function Card({ card }: { card: FlowCardDetail }) {
  const t = useText('fleet')
  const mb = (value: number) => t('flowCard.mb', { value: countText(value) })
  const none = t('flowCard.unlimited')
  const machine = card.machineCode
  return (
    <div className="hospital-parts">
      <Figures
        facts={[
          { label: t('field.todayMb'), value: mb(card.todayMb) },
          { label: t('field.monthMb'), value: mb(card.monthMb) },
          { label: t('field.limitMb'), value: card.limitMb > 0 ? mb(card.limitMb) : none },
          { label: t('field.planMb'), value: card.planMb > 0 ? mb(card.planMb) : none },
        ]}
      />
      <Facts
        facts={[
          {
            label: t('field.machineCode'),
            value: machine ? (
              <>
                <ScreenLink screen="shj/wdshj" search={{ code: machine }}>
                  {machine}
                </ScreenLink>{' '}
                {card.machineName}
              </>
            ) : (
              t(card.isBound ? 'flowCard.hidden' : 'flowCard.spare')
            ),
          },
          { label: t('flowCard.heardAt'), value: card.heardAt ? <Ago at={card.heardAt} /> : t('flowCard.unheard') },
          { label: t('field.carrier'), value: t(`flowCarrier.${card.carrier}`) },
          { label: t('field.cardType'), value: t(`flowCardType.${card.cardType}`) },
          { label: t('field.phone'), value: card.phone },
          { label: 'IMEI', value: card.imei },
          { label: 'IMSI', value: card.imsi },
          { label: t('field.openedOn'), value: card.openedOn },
          { label: t('field.expiresOn'), value: card.expiresOn },
          { label: t('field.merchantName'), value: card.merchantName },
          { label: t('field.remark'), value: card.remark },
        ]}
      />
      <Section title={t('flowCard.days')}>
        <Bars rows={card.days.map(({ day, usedMb }) => ({ key: day, usedMb }))} />
      </Section>
      <Section title={t('flowCard.months')}>
        <Bars rows={card.months.map(({ month, usedMb }) => ({ key: month.slice(0, 7), usedMb }))} />
      </Section>
    </div>
  )
}

/** From zero, each with its figure beside it. */
function Bars({ rows }: { rows: readonly { key: string; usedMb: number }[] }) {
  const t = useText('fleet')
  const most = Math.max(1, ...rows.map(({ usedMb }) => usedMb))
  if (rows.length === 0) return <p className="quiet">{t('flowCard.unused')}</p>
  return (
    <ul className="flow-bars">
      {rows.map(({ key, usedMb }) => (
        <li key={key}>
          <span>{key}</span>
          <span className="flow-bar" aria-hidden="true">
            <i style={{ inlineSize: `${(100 * usedMb) / most}%` }} />
          </span>
          <span className="flow-mb">{t('flowCard.mb', { value: countText(usedMb) })}</span>
        </li>
      ))}
    </ul>
  )
}
