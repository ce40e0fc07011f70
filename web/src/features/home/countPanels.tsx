import { summariseMachines } from '@aisle/contract/fleet/machine'
import { summariseRepairOrders } from '@aisle/contract/maintenance/repairOrder'
import { getPendingReviews } from '@aisle/contract/notice/bell'
import { summarisePrescriptions } from '@aisle/contract/pharmacy/prescription'
import { screenOf } from '@aisle/contract/screens'
import { countText } from '../../admin/fields/number'
import { useLive } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import { Figure, PanelCard } from './panelCard'
import styles from './home.module.css'

type Shown = { name: string; screen: string; query: Record<string, string>; tone?: 'bad' | 'warn' | 'good' }

const pathOf = ({ screen, query }: Pick<Shown, 'screen' | 'query'>) => {
  const asked = new URLSearchParams(query).toString()
  return screenOf(screen).path + (asked && `?${asked}`)
}

/** How many there are of each, leading to them; of what there is none, nothing is said in colour. */
function Figures<N extends string>(props: {
  shown: readonly (Shown & { name: N })[]
  counts: Record<N, number>
  wordOf: (name: N) => string
}) {
  const { shown, counts, wordOf } = props
  return (
    <div className={styles.figures}>
      {shown.map(({ name, screen, query, tone }) => (
        <Figure
          key={name}
          word={wordOf(name)}
          path={pathOf({ screen, query })}
          {...(tone && counts[name] > 0 ? { tone } : {})}
        >
          {countText(counts[name])}
        </Figure>
      ))}
    </div>
  )
}

const connections = [
  { name: 'total', screen: 'shj/wdshj', query: {} },
  { name: 'online', screen: 'shj/wdshj', query: { connection: 'online' }, tone: 'good' },
  { name: 'offline', screen: 'shj/wdshj', query: { connection: 'offline' }, tone: 'bad' },
  { name: 'unknown', screen: 'shj/wdshj', query: { connection: 'unknown' }, tone: 'warn' },
  { name: 'fault', screen: 'shj/wdshj', query: { condition: 'fault' }, tone: 'bad' },
  { name: 'temperature', screen: 'shj/wdshj', query: { condition: 'temperature_abnormal' }, tone: 'bad' },
] as const satisfies readonly Shown[]

/** How the fleet is; silence is said to be unknown, never fine. */
export function MachinesPanel() {
  const t = useText('home')
  const words = useText('fleet')
  const found = useEndpoint(summariseMachines, {}, { errors: 'silent' })
  useLive({ topic: 'machines', also: [] }, [summariseMachines])
  const { data } = found
  const more = { path: screenOf('shj/ztcx').path, word: t('machines.open') }
  return (
    <PanelCard title={t('panel.machines')} more={more} found={found}>
      {data && <Figures shown={connections} counts={data} wordOf={(name) => words(`summary.${name}`)} />}
    </PanelCard>
  )
}

const states = [
  { name: 'mine', screen: 'shj/bywx', query: { assignee: 'me' } },
  { name: 'overdue', screen: 'shj/bywx', query: { due: 'overdue' }, tone: 'bad' },
  { name: 'unassigned', screen: 'shj/bywx', query: { state: 'open', assignee: 'nobody' }, tone: 'warn' },
  { name: 'done', screen: 'shj/bywx', query: { state: 'done' }, tone: 'warn' },
] as const satisfies readonly Shown[]

export function WorkPanel() {
  const t = useText('home')
  const words = useText('maintenance')
  const found = useEndpoint(summariseRepairOrders, {}, { errors: 'silent' })
  useLive({ kinds: ['repairOrder'], also: [] }, [summariseRepairOrders])
  const { data } = found
  return (
    <PanelCard title={t('panel.work')} more={{ path: screenOf('shj/bywx').path, word: t('work.open') }} found={found}>
      {data && <Figures shown={states} counts={data} wordOf={(name) => words(`summary.${name}`)} />}
    </PanelCard>
  )
}

const written = [
  { name: 'waiting', screen: 'jygl/cfcx', query: { state: 'submitted', sort: 'waiting' }, tone: 'warn' },
  { name: 'approved', screen: 'jygl/cfcx', query: { state: 'approved', sort: 'expiry' }, tone: 'good' },
  { name: 'rejected', screen: 'jygl/cfcx', query: { state: 'rejected' } },
  { name: 'doubt', screen: 'jygl/cfcx', query: { fill: 'doubt' }, tone: 'bad' },
] as const satisfies readonly Shown[]

/** A doctor's own, and a pharmacist's queue. */
export function PrescriptionsPanel() {
  const t = useText('home')
  const words = useText('pharmacy')
  const found = useEndpoint(summarisePrescriptions, {}, { errors: 'silent' })
  useLive({ kinds: ['prescription'], also: [] }, [summarisePrescriptions])
  const { data } = found
  const more = { path: screenOf('jygl/cfcx').path, word: t('prescriptions.open') }
  return (
    <PanelCard title={t('panel.prescriptions')} more={more} found={found}>
      {data && <Figures shown={written} counts={data} wordOf={(name) => words(`summary.${name}`)} />}
    </PanelCard>
  )
}

/** What waits for this person's decision, of all kinds that they may decide. */
export function WaitingPanel() {
  const t = useText('home')
  const words = useText('notice')
  const found = useEndpoint(getPendingReviews, {}, { errors: 'silent' })
  useLive({ topic: 'changes', also: [] }, [getPendingReviews])
  const { data } = found
  if (data?.items.length === 0) return null
  return (
    <PanelCard title={t('panel.waiting')} more={null} found={found}>
      {data && data.total === 0 && <p className="quiet">{t('waiting.none')}</p>}
      {data && (
        <div className={styles.figures}>
          {data.items.map(({ kind, count, screen, query }) => (
            <Figure
              key={kind}
              word={words.any(`review.${kind}`)}
              path={pathOf({ screen, query })}
              {...(count > 0 ? { tone: 'warn' } : {})}
            >
              {countText(count)}
            </Figure>
          ))}
        </div>
      )}
    </PanelCard>
  )
}
