import * as contract from '@aisle/contract/fleet/flowCard'
import { useState } from 'react'
import { CommandButton } from '../../../admin/commandButton'
import { countText } from '../../../admin/fields/number'
import { MachineLink } from '../../../admin/fields/ref'
import { Ago } from '../../../admin/fields/time'
import { listPage } from '../../../admin/listPage'
import { record } from '../../../admin/record'
import type { DrawerRow } from '../../../admin/rowDrawer'
import { Tally } from '../../../shelf/tally'
import type { ListAddress } from '../../../admin/useAddress'
import { can } from '../../../live/session'
import { useEndpoint } from '../../../live/query'
import { Facts, Figures } from '../../../ui/facts'
import { Section } from '../../../ui/feedback/drawer'
import { useText } from '../../../ui/text'
import { MachineIdInput } from '../machine/machineInputs'
import parts from '../place/hospital.module.css'
import styles from './flowCard.module.css'
import { FlowCardImport } from './flowCardImport'

const cards = record({
  of: contract.flowCard,
  list: contract.listFlowCards,
  get: contract.getFlowCard,
  add: contract.addFlowCard,
  edit: contract.editFlowCard,
  remove: contract.removeFlowCard,
  also: [contract.summariseFlowCards],
  isUnused: ({ isBound }) => !isBound,
})
const page = cards.page({
  columns: ['iccid', 'machineCode', 'state', 'todayMb', 'monthMb', 'limitMb', 'planMb', 'carrier', 'expiresOn'],
  sortable: { state: 'worst', monthMb: 'month', expiresOn: 'expiry' },
  filters: ['flowCard', 'cardState', 'carrier'],
  moreFilters: ['machineCode', 'merchantId'],
  summary: FlowCardSummary,
  batch: [{ endpoint: contract.setFlowLimit, verb: 'setFlowLimit' }],
  drawer: FlowCardDrawer,
})

/** For whoever keeps machines connected, weekly: which card is over its limit or about to end, and where it is. */
export default listPage({ screen: 'shj/llk', ...page, actions: Actions })

function Actions() {
  const t = useText('fleet')
  const [isImporting, setImporting] = useState(false)
  return (
    <>
      {can(contract.addFlowCard.access) && (
        <button type="button" className="btn" onClick={() => setImporting(true)}>
          {t('flowCard.import')}
        </button>
      )}
      <page.actions />
      {isImporting && <FlowCardImport onClose={() => setImporting(false)} />}
    </>
  )
}

/** Which machine the card is in, and what it used: by day and by month, against what it may. */
function FlowCardDrawer({ id }: DrawerRow) {
  return (
    <cards.Drawer id={id} title={({ iccid }) => iccid} tags={['state']} verbs={(card) => <Binding card={card} />}>
      {(card) => <Card card={card} />}
    </cards.Drawer>
  )
}

function Binding({ card: { id, iccid, machineCode, isBound } }: { card: contract.FlowCardDetail }) {
  const t = useText('fleet')
  const common = { t, target: { id }, vars: { iccid, code: machineCode ?? '' }, changes: cards.shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={contract.bindFlowCard}
        verb="bindFlowCard"
        tone="main"
        inputs={{ machineId: MachineIdInput }}
      />
      <CommandButton {...common} endpoint={contract.releaseFlowCard} verb="releaseFlowCard" isEnabled={isBound} />
    </>
  )
}

function Card({ card }: { card: contract.FlowCardDetail }) {
  const t = useText('fleet')
  const mb = (value: number) => t('flowCard.mb', { value: countText(value) })
  const none = t('flowCard.unlimited')
  const machine = card.machineCode
  return (
    <div className={parts.parts}>
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
                <MachineLink code={machine} /> {card.machineName}
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
    <ul className={styles.bars}>
      {rows.map(({ key, usedMb }) => (
        <li key={key}>
          <span>{key}</span>
          <span className={styles.bar} aria-hidden="true">
            <i style={{ inlineSize: `${(100 * usedMb) / most}%` }} />
          </span>
          <span className={styles.mb}>{t('flowCard.mb', { value: countText(usedMb) })}</span>
        </li>
      ))}
    </ul>
  )
}

/** How many are in each state; each figure is a filter. */
function FlowCardSummary({ address }: { address: ListAddress }) {
  const t = useText('fleet')
  const { data } = useEndpoint(contract.summariseFlowCards, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('flowCard.summary')}
      address={address}
      figures={[
        { name: 'total', word: t('summary.total'), tone: 'idle', count: data?.total, query: {} },
        ...contract.flowCardStates.map((state) => ({
          name: state,
          word: t(`flowCardState.${state}`),
          tone: contract.flowCardState.tones[state],
          count: data?.[state],
          query: { cardState: state },
        })),
      ]}
    />
  )
}
