import { countFields, countState, getCount } from '@aisle/contract/counting/count'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { countText } from '../../admin/fields/number'
import { MachineLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, When } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import { Timeline } from '../../ui/chart/timeline'
import { Tabs } from '../../ui/control/tabs'
import { Facts } from '../../ui/facts'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { CountLines } from './countLines'
import { CountPaper } from './countPaper'
import { CountSheet } from './countSheet'
import { CountVerbs } from './countVerbs'
import styles from './counting.module.css'

export type CountDetail = OutputOf<typeof getCount>

/** The sheet while it is counted, both counts beside the books once it is, and who did what. */
export function CountDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('counting')
  const result = useEndpoint(getCount, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ no, machineCode }) => `${no} · ${machineCode}`}
      head={({ state, scope, isConnected }) => (
        <div className="tags">
          <StateCell value={state} field={countFields.state} t={t} />
          <StateCell value={scope} field={countFields.scope} t={t} />
          {!isConnected && countState.is(state, 'open') && <Tag tone="warn" word={t('count.offline')} />}
        </div>
      )}
      actions={(count) => (
        <>
          <CountSheet count={count} />
          <CountVerbs count={count} />
          <CountPaper count={count} />
        </>
      )}
    >
      {(count) => (
        <Tabs
          label={count.no}
          current={tab}
          onPick={pickTab}
          tabs={[
            { key: 'lines', label: t('tab.lines'), panel: <Lines count={count} /> },
            { key: 'facts', label: t('tab.facts'), panel: <CountFacts count={count} /> },
            { key: 'story', label: t('tab.story'), panel: <Story story={count.story} /> },
          ]}
        />
      )}
    </RowDrawer>
  )
}

function Lines({ count }: { count: CountDetail }) {
  const t = useText('counting')
  const { isBlind, isConnected, lastSeenAt, state } = count
  const mayLack = !isConnected && countState.is(state, 'open') && !isBlind
  return (
    <>
      {isBlind && <p className={styles.note}>{t('count.blind')}</p>}
      {mayLack && (
        <p className={styles.note}>
          {t('count.mayLack')} {lastSeenAt && <Ago at={lastSeenAt} />}
        </p>
      )}
      <CountLines count={count} />
    </>
  )
}

function CountFacts({ count }: { count: CountDetail }) {
  const t = useText('counting')
  const { machineCode, machineName, countedAt, postedAt } = count
  return (
    <Facts
      facts={[
        {
          label: t('field.machineCode'),
          value: (
            <>
              <MachineLink code={machineCode} /> {machineName}
            </>
          ),
        },
        { label: t('field.pointName'), value: count.pointName },
        { label: t('field.routeName'), value: count.routeName },
        { label: t('field.hospitalName'), value: count.hospitalName },
        { label: t('field.merchantName'), value: count.merchantName },
        { label: t('field.counted'), value: `${countText(count.counted)} / ${countText(count.lines)}` },
        { label: t('field.openedBy'), value: count.openedBy },
        { label: t('field.openedAt'), value: <When at={count.openedAt} /> },
        { label: t('field.countedBy'), value: count.countedBy },
        { label: t('field.countedAt'), value: countedAt && <When at={countedAt} /> },
        { label: t('field.postedBy'), value: count.postedBy },
        { label: t('field.postedAt'), value: postedAt && <When at={postedAt} /> },
        { label: t('field.cancelReason'), value: count.cancelReason },
      ]}
    />
  )
}

const tones: Partial<Record<string, Tone>> = { post: 'good', cancel: 'idle', askAgain: 'warn' }

function Story({ story }: { story: CountDetail['story'] }) {
  const t = useText('counting')
  return (
    <Timeline
      moments={story.map(({ id, verb, who, note, at }) => ({
        key: String(id),
        tone: tones[verb] ?? 'busy',
        title: t.any(`event.${verb}`, { who: who ?? t('event.nobody') }),
        detail: note,
        when: <Ago at={at} />,
      }))}
    />
  )
}
