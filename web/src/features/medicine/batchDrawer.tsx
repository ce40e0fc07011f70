import { batchFields, getBatch } from '@aisle/contract/medicine/batch'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { recallFields } from '@aisle/contract/medicine/recall'
import { countText } from '../../admin/fields/number'
import { ScreenLink } from '../../admin/fields/ref'
import { StateCell } from '../../admin/fields/state'
import { Ago, Day } from '../../admin/fields/time'
import { type DrawerRow, RowDrawer } from '../../admin/rowDrawer'
import { useEndpoint } from '../../live/query'
import lined from '../../shelf/lines.module.css'
import { Timeline } from '../../ui/chart/timeline'
import { Tabs } from '../../ui/control/tabs'
import { Facts } from '../../ui/facts'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { Tag, type Tone } from '../../ui/tag'
import { useText } from '../../ui/text'
import { BatchPlaces } from './batchPlaces'
import { BatchVerbs } from './batchVerbs'
import styles from './batch.module.css'

export type BatchDetail = OutputOf<typeof getBatch>

/** Where it lies, what it holds back, its dates, its recalls, and who did what. */
export function BatchDrawer({ id, tab, pickTab }: DrawerRow) {
  const t = useText('medicine')
  const result = useEndpoint(getBatch, { id }, { errors: 'throw' })
  return (
    <RowDrawer
      result={result}
      title={({ productName, number }) => `${productName} ${number}`}
      head={({ shown }) => (
        <div className="tags">
          <StateCell value={shown} field={batchFields.shown} t={t} />
        </div>
      )}
      actions={(batch) => <BatchVerbs batch={batch} />}
    >
      {(batch) => (
        <>
          <Trapped batch={batch} />
          <Tabs
            label={batch.number}
            current={tab}
            onPick={pickTab}
            tabs={[
              { key: 'places', label: t('tab.places'), panel: <BatchPlaces batch={batch} /> },
              { key: 'facts', label: t('tab.facts'), panel: <BatchFacts batch={batch} /> },
              { key: 'story', label: t('tab.story'), panel: <Story story={batch.story} /> },
            ]}
          />
        </>
      )}
    </RowDrawer>
  )
}

function Trapped({ batch: { trapped } }: { batch: BatchDetail }) {
  const t = useText('medicine')
  if (trapped.pieces === 0) return null
  const figures = { pieces: countText(trapped.pieces), slots: countText(trapped.slots) }
  return (
    <p className={styles.trapped} role="status">
      {t('batch.trapped', figures)} · <Money fen={trapped.amountFen} />
    </p>
  )
}

function BatchFacts({ batch }: { batch: BatchDetail }) {
  const t = useText('medicine')
  const { productCode, producedOn, recalls } = batch
  return (
    <>
      <Facts
        facts={[
          {
            label: t('field.productCode'),
            value: (
              <ScreenLink screen="spgl/wdsp" search={{ code: productCode }}>
                {productCode}
              </ScreenLink>
            ),
          },
          { label: t('field.specification'), value: batch.specification },
          { label: t('field.manufacturer'), value: batch.manufacturer },
          { label: t('field.merchantName'), value: batch.merchantName },
          { label: t('field.producedOn'), value: producedOn && <Day on={producedOn} /> },
          { label: t('field.expiresOn'), value: <Day on={batch.expiresOn} /> },
          { label: t('field.marginDays'), value: countText(batch.marginDays) },
          { label: t('field.reason'), value: batch.reason },
          { label: t('field.changedBy'), value: batch.changedBy },
          { label: t('field.createdBy'), value: batch.createdBy },
        ]}
      />
      {recalls.length > 0 && (
        <Section title={t('section.recalls')}>
          <ul className={lined.lines}>
            {recalls.map(({ id, no, state, isDrill }) => (
              <li key={id}>
                <ScreenLink screen="ypgl/yppc" search={{ part: 'recalls', open: String(id) }}>
                  {no}
                </ScreenLink>
                <StateCell value={state} field={recallFields.state} t={t} />
                {isDrill && <Tag tone="idle" word={t('field.isDrill')} />}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

const tones: Record<string, Tone> = {
  release: 'good',
  close: 'good',
  pull: 'good',
  lock: 'warn',
  giveUp: 'warn',
  recall: 'bad',
  reject: 'bad',
  start: 'bad',
  scrap: 'bad',
}

export function Story({ story }: { story: BatchDetail['story'] }) {
  const t = useText('medicine')
  return (
    <Timeline
      moments={story.map(({ id, verb, who, note, at }) => ({
        key: String(id),
        tone: tones[verb] ?? 'busy',
        title: t.any(`event.${verb}`, { who: who ?? t('event.system') }),
        detail: note,
        when: <Ago at={at} />,
      }))}
    />
  )
}
